import { setTimeout as sleep } from 'node:timers/promises';
import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import { readScreen } from '../../src/provider/claude-code/screen.ts';
import type { BoxReading } from '../../src/provider/claude-code/screen-reading.ts';
import type { LiveAgent } from '../live/live-agent.ts';
import { until } from '../live/wait.ts';
import type { Rig } from './rig.ts';

const CLEAR = ['C-e', ...Array.from({ length: 12 }, () => 'C-u')];
/** What moves on its own: the spinner and its hint. */
const MOVING = /^\s*[·✢✳✶✻✽*⎿] /;

/** The bullet of a call that has not ended blinks. */
const BLINKING = /^●/;

/** Hints of the footer, which come some time after the start. */
const HINTS = / · (?:\? for shortcuts|← for agents).*$/;

/** One agent that tries are made on, and what a person does at its terminal. */
export class Scene {
  readonly rig: Rig;
  readonly agent: LiveAgent;
  readonly run: RunHandle;
  /** Another agent that stands where this one was; it is the one that is looked at. */
  bystander: LiveAgent | undefined;
  /** The handle that the reply goes to, where it is not the run as it is. */
  handle: RunHandle | undefined;
  /** What was said by hand and the model has still to get. */
  readonly owed: string[] = [];

  constructor(rig: Rig, agent: LiveAgent, run: RunHandle) {
    this.rig = rig;
    this.agent = agent;
    this.run = run;
  }

  get watched(): LiveAgent {
    return this.bystander ?? this.agent;
  }

  /** Every text that the model got on this stage. */
  received(): readonly string[] {
    return this.rig.stage.api.received().flatMap((turn) => [...turn.texts]);
  }

  /** Says it and waits until the model has it. */
  async saidByHand(text: string): Promise<void> {
    const before = this.received().length;
    await this.#type(text);
    await this.agent.keys('Enter');
    await until('the model gets what was said by hand', () =>
      this.received().length > before ? true : undefined,
    );
    // The model has a first message before the screen shows that it went (2.1.332, seen under load).
    await until('it left the box', async () => ((await this.draft()) === '' ? true : undefined));
  }

  /** Says it and waits until the turn is over. */
  async sayByHand(text: string): Promise<void> {
    await this.saidByHand(text);
    await this.agent.waitForStatus('idle');
  }

  /** Says it while a turn runs. */
  async queueByHand(text: string, shown = /Queued/): Promise<void> {
    await this.#type(text);
    await this.agent.keys('Enter');
    await this.agent.waitForScreen(shown);
    await until('the box is empty', async () => (await this.isBoxFree()) || undefined);
    this.owed.push(text);
  }

  async #type(text: string): Promise<void> {
    await this.agent.tmux('set-buffer', '-b', 'by-hand', text);
    await this.agent.tmux('paste-buffer', '-p', '-r', '-d', '-b', 'by-hand', '-t', this.agent.pane);
    await this.agent.waitForScreen(text.split('\n')[0]?.slice(0, 40) ?? '');
  }

  /** The input box now; undefined: another screen. */
  async box(): Promise<BoxReading | undefined> {
    const { watched } = this;
    const cols = await watched.tmux('display-message', '-p', '-t', watched.pane, '#{pane_width}');
    const capture = await watched.tmux('capture-pane', '-p', '-e', '-N', '-t', watched.pane);
    const reading = readScreen({ capture, cols: Number(cols) });
    return reading.kind === 'box' ? reading : undefined;
  }

  /** Everything in the box without white space; '' where there is none. */
  async draft(): Promise<string> {
    const draft = (await this.box())?.draft;
    return draft?.type === 'text' ? draft.compact : '';
  }

  async isBoxFree(): Promise<boolean> {
    const box = await this.box();
    return box !== undefined && box.draft.type !== 'text' && box.mode === 'prompt';
  }

  /** The screen without what moves on its own. */
  async still(): Promise<string> {
    const screen = await this.watched.screen();
    return screen
      .split('\n')
      .filter((line) => !MOVING.test(line))
      .map((line) => line.replace(HINTS, '').replace(BLINKING, ' '))
      .join('\n')
      .trimEnd();
  }

  /** The same, once it is drawn to its end: two looks of 60 ms apart agree (or 2 s are over). */
  async settled(): Promise<string> {
    let last = await this.still();
    for (let looks = 0; looks < 30; looks++) {
      await sleep(60);
      const now = await this.still();
      if (now === last) return now;
      last = now;
    }
    return last;
  }

  /** Empties the box as a person would. */
  async clear(): Promise<void> {
    await until('the box is empty', async () => {
      if (await this.isBoxFree()) return true;
      await this.agent.keys(...CLEAR);
      return undefined;
    });
  }

  /** Closes what is open with one Escape, and waits until it is closed. */
  async escape(): Promise<void> {
    await this.agent.keys('Escape');
    const isClosed = async () =>
      (await this.agent.registry())?.status === 'waiting' ? undefined : true;
    await until('Escape closed it', isClosed, 8_000);
  }
}
