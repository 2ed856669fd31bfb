import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';
import { eventually } from '../e2e/page-client.ts';
import { type Bridged, openBridged } from './bridged.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

const words = (count: number): string => Array.from({ length: count }, (_, i) => `w${i}`).join(' ');
interface Case {
  readonly name: string;
  readonly text: string;
  /** What the agent receives, where a space of ours or the removal of keys makes it another. */
  readonly received?: string;
}
const TEXTS: readonly Case[] = [
  { name: 'short', text: 'hello there' },
  { name: '2 kB', text: words(400).slice(0, 2_000) },
  { name: '20 kB', text: words(4_000).slice(0, 20_000) },
  { name: '30 lines', text: Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n') },
  { name: 'a leading !', text: '!ls is not run', received: ' !ls is not run' },
  { name: 'a trailing backslash', text: 'ends with \\' },
  { name: 'emoji with joiners', text: 'family 👩‍👩‍👧‍👦, thumbs 👍🏽, flag 🇩🇪' },
  { name: 'only emoji', text: '👩‍👩‍👧‍👦👍🏽' },
  {
    name: 'a paste terminator inside',
    text: 'before\u001b[201~\rafter',
    received: 'before\nafter',
  },
  { name: 'a path', text: '/etc/hosts is a file' },
  { name: 'an unknown /word', text: '/clearly not a command', received: ' /clearly not a command' },
];

describe.skipIf(program.isMissing)(`replies ${program.title}`, () => {
  let bridged: Bridged;
  let agent: LiveAgent;
  let run: RunSummary;

  beforeAll(async () => {
    bridged = await openBridged(program, {
      stage: { settings: { permissions: { allow: ['Bash(sleep:*)'] } } },
    });
    agent = await bridged.stage.start();
    run = await bridged.page.runOf(agent.pid);
  });
  afterAll(() => bridged?.stop());

  const idle = async (): Promise<void> => {
    await agent.waitForStatus('idle');
  };
  const send = (text: string): Promise<string> => bridged.page.reply(run.id, text);
  const received = (): readonly string[] =>
    bridged.stage.api.received().flatMap((turn) => [...turn.texts]);

  it('R1: a run started by hand appears within 2 s with directory and state', async () => {
    const started = Date.now();
    const other = await bridged.stage.start();
    const seen = await bridged.page.runOf(other.pid, 2_000);
    expect(seen.cwd).toBe(bridged.stage.home.cwd);
    await bridged.page.state(seen.id, 'idle', 2_000);
    expect(Date.now() - started).toBeLessThan(20_000);
    await other.end();
    const ended = await bridged.page.state(seen.id, 'ended');
    expect(ended.state).toEqual({ name: 'ended', how: 'exited' });
    const key = await bridged.page.reply(seen.id, 'too late');
    const refused = await bridged.page.outcome(seen.id, key, 'refused');
    expect(refused.outcome).toMatchObject({ reason: { why: 'ended' } });
    expect(refused.explanation ?? '').toContain('claude --resume');
  });

  it.each(TEXTS)(
    'D1, D2: $name arrives exactly, once, with proof',
    async ({ text, received: expected }) => {
      await idle();
      const before = received().length;
      const key = await send(text);
      await bridged.page.outcome(run.id, key, 'confirmed');
      await idle();
      expect(received().slice(before)).toEqual([expected ?? text]);
    },
  );

  it('D2: the same words three times are three messages with three proofs', async () => {
    await idle();
    const before = received().length;
    for (let time = 0; time < 3; time++) {
      await idle();
      await bridged.page.outcome(run.id, await send('yes, go on'), 'confirmed');
    }
    await idle();
    expect(received().slice(before)).toEqual(['yes, go on', 'yes, go on', 'yes, go on']);
  });

  it('I13 D3: while the agent streams a reply is queued, then confirmed', async () => {
    await idle();
    await bridged.page.outcome(run.id, await send('#slow 3'), 'confirmed');
    await agent.waitForStatus('busy');
    const key = await send('and then this');
    await bridged.page.outcome(run.id, key, ['queued', 'confirmed']);
    await bridged.page.outcome(run.id, key, 'confirmed');
    await idle();
    expect(received().at(-1)).toBe('and then this');
  });

  it('D3: in a tool a reply is queued, then absorbed and confirmed', async () => {
    await idle();
    await bridged.page.outcome(run.id, await send('#bash sleep 2\n#bash sleep 1'), 'confirmed');
    await agent.waitForStatus('busy');
    const key = await send('absorb this');
    await bridged.page.outcome(run.id, key, 'confirmed');
    await idle();
    expect(received().filter((text) => text.includes('absorb this'))).toHaveLength(1);
  });

  it('D2: copy mode is left, and the reply arrives', async () => {
    await idle();
    await agent.tmux('copy-mode', '-t', agent.pane);
    await bridged.page.outcome(run.id, await send('out of copy mode'), 'confirmed');
    await idle();
    expect(received().at(-1)).toBe('out of copy mode');
  });

  it('S22 S23 D5: a person’s draft holds the reply; nothing is typed; it goes when the box is free', async () => {
    await idle();
    await agent.type('half a thought');
    await agent.waitForScreen('half a thought');
    const before = received().length;
    const key = await send('patient reply');
    const held = await bridged.page.outcome(run.id, key, 'held');
    expect(held.outcome).toMatchObject({ reason: { why: 'foreign-draft' } });
    expect(await agent.screen()).not.toContain('patient');
    expect(received()).toHaveLength(before);
    await agent.keys('C-u');
    await bridged.page.outcome(run.id, key, 'confirmed');
    await idle();
    expect(received().slice(before)).toEqual(['patient reply']);
  });

  it('D08 D6: an open question holds the reply; nothing reaches the picker', async () => {
    await idle();
    await bridged.page.outcome(run.id, await send('#ask'), 'confirmed');
    await agent.waitForStatus('waiting', 'input needed');
    const key = await send('2');
    const held = await bridged.page.outcome(run.id, key, 'held');
    expect(held.outcome).toMatchObject({ reason: { why: 'dialog', takesOwnWords: true } });
    await agent.waitForScreen('Type something');
    expect((await agent.registry())?.status).toBe('waiting');
    // A picker that has just come ignores keys for a moment (2.1.332: up to 150 ms).
    const since = Date.now();
    await eventually('the picker has settled', () => Date.now() - since > 400 || undefined);
    await agent.keys('1');
    await bridged.page.outcome(run.id, key, 'confirmed');
    await idle();
    expect(received().at(-1)).toBe('2');
  });

  it('S18 D2: words in scrollback, draft or placeholder confirm nothing', async () => {
    await idle();
    await bridged.page.outcome(run.id, await send('seen before'), 'confirmed');
    await idle();
    await agent.waitForScreen('seen before');
    await agent.type('seen before');
    const key = await send('seen before');
    await bridged.page.outcome(run.id, key, 'held');
    await agent.keys('C-u');
    await bridged.page.outcome(run.id, key, 'confirmed');
    await idle();
    expect(received().slice(-2)).toEqual(['seen before', 'seen before']);
  });

  it('S28 D1: a known command and several backslashes are refused before a key', async () => {
    await idle();
    const before = await agent.screen();
    for (const [text, why] of [
      ['/clear now', 'command'],
      ['a\\\\', 'backslashes'],
    ] as const) {
      const refused = await bridged.page.outcome(run.id, await send(text), 'refused');
      expect(refused.outcome).toMatchObject({ reason: { why } });
    }
    expect(await agent.screen()).toBe(before);
  });
});
