import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadThread } from '../fakes/memory-threads.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { Threaded } from './threaded.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`one run in three channels ${program.title}`, () => {
  let on: Threaded;
  let agent: LiveAgent;

  beforeAll(async () => {
    on = await Threaded.open(program, { verbosities: ['quiet', 'normal', 'full'] });
    mkdirSync(join(on.stage.home.cwd, '.git'));
    writeFileSync(join(on.stage.home.cwd, '.git', 'HEAD'), 'ref: refs/heads/feature/till\n');
    agent = await on.stage.start();
    await on.until('three threads', () => on.threads().length === 3);
  });
  afterAll(() => on?.stop());

  const of = (verbosity: string): ReadThread => {
    const found = on.threads().find((t) => t.channel === `memory:${verbosity}`);
    if (found === undefined) throw new Error(`no thread in ${verbosity}`);
    return found;
  };
  /** One turn; what each thread got of it. */
  const turn = async (said: string, last: RegExp) => {
    const before = new Map(on.threads().map((t) => [t.thread, t.messages.length]));
    await agent.say(said);
    await on.until(`${last} everywhere`, () =>
      on.threads().every((t) => {
        const now = t.messages.slice(before.get(t.thread));
        return now.some((m) => m.type === 'text' && last.test(m.text));
      }),
    );
    await agent.waitForStatus('idle');
    const got = (verbosity: string) =>
      of(verbosity)
        .messages.slice(before.get(of(verbosity).thread))
        .map((m) => `${m.type}: ${m.text}`);
    return { quiet: got('quiet'), normal: got('normal'), full: got('full') };
  };

  it('P5: each head says what runs where, on which branch, how it is and how to reach it', () => {
    for (const thread of on.threads()) {
      const [head, ...others] = thread.texts('head');
      expect(others).toEqual([]);
      expect(head?.split('\n')).toEqual([
        'project',
        expect.stringMatching(/^(🌱 starting|💤 idle)$/),
        `📁 ${on.stage.home.cwd} · ⎇ feature/till`,
        expect.stringMatching(/^⏱ 0 min old · last activity /),
        expect.stringMatching(/^🔗 tmux -S .* attach -t '%\d+'$/),
      ]);
    }
  });

  it('P2: tool calls are nothing, a line, or all of it', async () => {
    const { quiet, normal, full } = await turn('#two', /^RESULT: /);
    const ends = ['text: #two', expect.stringMatching(/^text: RESULT: (one|two)\nRESULT: /)];
    expect(quiet).toEqual(ends);
    expect(normal).toEqual([ends[0], 'activity: ✓ Bash `echo one`\n✓ Bash `echo two`', ends[1]]);
    expect(full).toHaveLength(4);
    expect(full[1]).toMatch(
      /^activity: ✓ Bash `echo one`\n```json\n.*"command"[\s\S]*```\none\n```/,
    );
  });

  it('P1, P2: thinking is shown only where everything is', async () => {
    const { quiet, normal, full } = await turn('#thinking deep', /^deep$/);
    expect(quiet).toEqual(['text: #thinking deep', 'text: deep']);
    expect(normal).toEqual(quiet);
    expect(full).toEqual(['text: #thinking deep', 'text: Let me think.', 'text: deep']);
  });

  it('P1, P3: Markdown arrives as it was written', async () => {
    const { normal } = await turn('#md', /^# Heading/);
    for (const part of [
      '| one | 1 |',
      '```ts\nconst answer: number = 42;\n```',
      'שלום 👩‍👩‍👧 done.',
    ])
      expect(normal[1]).toContain(part);
  });

  it('P1: what a subagent does folds under the call that started it', async () => {
    const { normal } = await turn('#agent #bash echo inside', /^ACK nothing/);
    const calls = normal.filter((text) => text.startsWith('activity: '));
    expect(calls).toEqual([
      expect.stringMatching(/^activity: ↪ Agent `Scripted agent` · \d steps?$/),
    ]);
  });
});
