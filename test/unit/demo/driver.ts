import { draw } from '../../../src/demo/tui/draw.ts';
import type { InputEvent, Key } from '../../../src/demo/tui/keys.ts';
import { handle, type TuiEvent } from '../../../src/demo/tui/machine.ts';
import { type JsonObject, plainScript, type Script } from '../../../src/demo/tui/script.ts';
import {
  type Effect,
  newTui,
  type RegistryPatch,
  type Timer,
  type Truth,
  type Tui,
} from '../../../src/demo/tui/state.ts';

/** Runs the machine of the scripted TUI in a time of its own: no process, no waiting. */
export class Driver {
  readonly tui: Tui;
  readonly rows: (JsonObject & { session: string })[] = [];
  readonly truth: Truth[] = [];
  registry: RegistryPatch = {};
  exitCode: number | undefined;
  #now = 0;
  #timers: { due: number; act: () => void }[] = [];

  constructor(options: { script?: Script; isUntrusted?: boolean } = {}) {
    this.tui = newTui({
      columns: 120,
      rows: 40,
      chain: {
        session: 'session-1',
        leaf: null,
        seed: 'seed',
        count: 0,
        cwd: '/srv/project',
        branch: 'main',
        version: '2.1.332',
        hasBegun: false,
        prompts: 0,
      },
      mode: 'default',
      script: options.script ?? plainScript,
      planDirectory: '/srv/plans',
      isUntrusted: options.isUntrusted ?? false,
      now: 0,
    });
    this.#send({ type: 'born' });
    if (!options.isUntrusted) this.run(1000);
  }

  /** Lets this much time pass, ms. */
  run(ms: number): this {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers
        .filter((timer) => timer.due <= end)
        .sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.#timers.splice(this.#timers.indexOf(next), 1);
      this.#now = Math.max(this.#now, next.due);
      next.act();
    }
    this.#now = end;
    return this;
  }

  key(...keys: readonly Key[]): this {
    for (const key of keys) this.#input({ type: 'key', key });
    return this;
  }

  /** Keys that arrive at once. */
  type(text: string): this {
    return this.#input({ type: 'text', text });
  }

  paste(text: string): this {
    return this.#input({ type: 'paste', text });
  }

  /** A reply as the bridge sends it: paste, a moment, Enter. */
  say(text: string): this {
    return this.paste(text).run(150).key('enter');
  }

  /** The screen without its escapes, without empty lines. */
  screen(): string {
    return draw(this.tui)
      .map((line) => line.replace(/\x1b\[[0-9;]*m/g, '').trimEnd())
      .filter((line) => line !== '')
      .join('\n');
  }

  /** Texts of the rows of one type, as the transcript has them. */
  userTexts(): string[] {
    return this.rows.flatMap((row) => {
      const content = (row['message'] as JsonObject | undefined)?.['content'];
      return row['type'] === 'user' && typeof content === 'string' ? [content] : [];
    });
  }

  #input(input: InputEvent): this {
    this.#send({ type: 'input', input });
    return this;
  }

  #send(event: TuiEvent): void {
    for (const effect of handle(this.tui, event, this.#now, 1_796_000_000_000 + this.#now))
      this.#perform(effect);
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'rows':
        this.rows.push(...effect.rows.map((row) => ({ ...row, session: effect.session })));
        return;
      case 'registry':
        this.#later(effect.afterMs, () => {
          this.registry = { ...this.registry, ...effect.patch };
        });
        return;
      case 'truth':
        this.truth.push(effect.entry);
        return;
      case 'timer':
        this.#timer(effect.timer, effect.ms);
        return;
      case 'exit':
        this.exitCode = effect.code;
        return;
    }
  }

  #timer(timer: Timer, ms: number): void {
    this.#later(ms, () => this.#send({ type: 'timer', timer }));
  }

  #later(ms: number, act: () => void): void {
    this.#timers.push({ due: this.#now + ms, act });
  }
}
