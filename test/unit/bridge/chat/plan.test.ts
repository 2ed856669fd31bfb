import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keysToLoad, type PlanOp } from '../../../../src/bridge/chat/ledger-view.ts';
import { type PlanInput, plan } from '../../../../src/bridge/chat/plan.ts';
import type { OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { ChannelId, PlatformId } from '../../../../src/bridge/model/ids.ts';
import type { LedgerEntry } from '../../../../src/bridge/model/thread.ts';
import { dialog, lifecycle, pending, runSummary, said, text, tool } from './items.ts';

/** A thread with its ledger in memory; what a person would read, in order. */
const thread = (fixed: Partial<PlanInput> = {}) => {
  const ledger = new Map<string, LedgerEntry>();
  const messages = new Map<string, { message: OutboundMessage; edits: number }>();
  let tail: string | undefined;
  const publish = (items: readonly Item[], more: Partial<PlanInput> = {}): readonly PlanOp[] => {
    const keys = new Set(keysToLoad(items, tail));
    for (const key of keys) {
      const shownIn = ledger.get(key)?.shownIn;
      if (shownIn !== undefined) keys.add(shownIn);
    }
    const loaded = [...ledger.values()].filter(
      (e) => keys.has(e.item) || (e.kept !== undefined && keys.has(e.shownIn ?? '')),
    );
    const made = plan({
      run: runSummary(),
      verbosity: 'normal',
      notify: [],
      names: { ofText: () => undefined, ofDialog: () => undefined },
      place: undefined,
      link: undefined,
      redact: (t) => t.replaceAll('s3cret', '***'),
      items,
      ledger: loaded,
      tail,
      notBefore: 0,
      room: 100,
      isBehind: false,
      ...fixed,
      ...more,
    });
    tail = made.tail;
    for (const op of made.ops) {
      if (op.op === 'pass-over') continue;
      ledger.set(op.entry.item, { ...op.entry, parts: [] });
      if (op.op !== 'show') continue;
      const known = messages.get(op.entry.item);
      messages.set(op.entry.item, {
        message: op.message,
        edits: known === undefined ? 0 : known.edits + 1,
      });
    }
    return made.ops;
  };
  const read = (): readonly string[] =>
    [...messages.values()].map(({ message }) =>
      message.type === 'activity'
        ? message.lines.join('\n')
        : 'markdown' in message
          ? message.markdown
          : message.type,
    );
  return { publish, read, messages, ledger };
};

describe('P1 what is shown and how', () => {
  test('people and agent are messages, consecutive calls one message, thinking is left out', () => {
    const { publish, read, messages } = thread();
    publish([
      said('u', 1, 'please'),
      text('th', 2, 'hmm', { origin: 'thinking' }),
      tool('t1', 3),
      tool('t2', 4, { status: 'failed' }),
      text('a', 5, 'done'),
      tool('t3', 6, { status: 'running' }),
    ]);
    expect(read()).toEqual(['please', '✓ Bash `do t1`\n✗ Bash `do t2`', 'done', '⏳ Bash `do t3`']);
    expect(messages.get('u')?.message).toMatchObject({ author: 'user', by: 'terminal' });
  });

  test('an activity goes on over several events and updates itself', () => {
    const { publish, read, messages } = thread();
    publish([tool('t1', 1, { status: 'running' })]);
    publish([tool('t1', 1), tool('t2', 2, { status: 'running' })]);
    publish([tool('t2', 2)]);
    expect(read()).toEqual(['✓ Bash `do t1`\n✓ Bash `do t2`']);
    expect(messages.get('activity:t1')?.edits).toBe(2);
  });

  test('a call that ends after the next message still updates its own', () => {
    const { publish, read } = thread();
    publish([tool('t1', 1, { status: 'running' }), text('a', 2, 'meanwhile')]);
    publish([tool('t1', 1, { status: 'failed' })]);
    expect(read()).toEqual(['✗ Bash `do t1`', 'meanwhile']);
  });

  test('nothing of a finished activity stays in the ledger', () => {
    const { publish, ledger } = thread();
    publish([tool('t1', 1, { status: 'running' }), tool('t2', 2), text('a', 3, 'x')]);
    expect(ledger.get('t2')?.kept).toBeDefined();
    publish([tool('t1', 1)]);
    expect([...ledger.values()].filter((e) => e.kept !== undefined)).toEqual([]);
  });

  test('a long activity counts what it does not list', () => {
    const { publish, read } = thread();
    publish(
      Array.from({ length: 20 }, (_, n) => tool(`t${n}`, n, n === 0 ? { status: 'failed' } : {})),
    );
    const lines = read()[0]?.split('\n') ?? [];
    expect(lines).toHaveLength(16);
    expect(lines[0]).toBe('… 5 earlier calls, 1 failed');
  });

  test('subagents fold under the call that started them, nested ones too', () => {
    const { publish, read } = thread();
    publish([tool('task', 1, { name: 'Agent', summary: 'look', status: 'running' })]);
    publish([tool('c1', 10, { parent: 'task' }), text('c2', 20, 'sub', { parent: 'task' })]);
    publish([tool('c3', 30, { parent: 'c1', summary: 'deep' })]);
    expect(read()).toEqual(['⏳ Agent `look` · 3 steps, now Bash deep']);
    publish([tool('task', 1, { name: 'Agent', summary: 'look' })]);
    expect(read()).toEqual(['✓ Agent `look` · 3 steps']);
  });

  test('a subagent in the background still folds under its call when the turn has gone on', () => {
    const { publish, read } = thread();
    const task = { name: 'Agent', summary: 'look' } as const;
    publish([tool('task', 1, { ...task, status: 'running' })]);
    publish([tool('task', 1, { ...task, isBackground: true }), text('a', 2, 'started it')]);
    publish([tool('c1', 10, { parent: 'task' })]);
    publish([text('b', 30, 'meanwhile'), tool('c2', 40, { parent: 'task' })]);
    expect(read()).toEqual(['↪ Agent `look` · 2 steps', 'started it', 'meanwhile']);
  });

  test('text from chat is named, and not repeated where it was written', () => {
    const platform = 'memory' as PlatformId;
    const channel = 'memory:c' as ChannelId;
    const message = { thread: { platform, channel, thread: '7' }, message: 'm9' };
    const names = { ofText: () => ({ by: 'Alice', message }), ofDialog: () => undefined };
    const elsewhere = thread({ names, place: 'memory:c 8' });
    elsewhere.publish([said('u', 1, 'hi')]);
    expect(elsewhere.messages.get('u')?.message).toMatchObject({ by: 'Alice', markdown: 'hi' });
    const here = thread({ names, place: 'memory:c 7' });
    here.publish([tool('t1', 0), said('u', 1, 'hi'), tool('t2', 2)]);
    expect(here.read()).toEqual(['✓ Bash `do t1`', '✓ Bash `do t2`']);
    expect(here.ledger.get('u')?.state).toBe('filed');
  });
});

test('P7 a secret is masked before its text is cut or kept', () => {
  const { publish, read, ledger } = thread();
  publish([
    tool('t', 1, { summary: `${'x'.repeat(155)}s3cret`, status: 'running' }),
    lifecycle('l', 2, { event: 'shell', text: 'env', detail: `${'y'.repeat(1_497)}s3cret` }),
    dialog('d', 3, { content: { type: 'plan', plan: 'use s3cret' } }),
  ]);
  expect(JSON.stringify([read(), [...ledger.values()]])).not.toMatch(/s3c/);
});

describe('P2 verbosity', () => {
  const items = [
    said('u', 1, 'please'),
    text('a1', 2, 'first'),
    tool('t', 3, { input: '{"command":"ls"}', output: 'x' }),
    text('th', 4, 'hmm', { origin: 'thinking' }),
    lifecycle('l', 5),
    text('a2', 6, 'last', { endsTurn: true }),
  ];
  test.each([
    ['quiet', ['please', '🗜️ compacted', 'last']],
    ['normal', ['please', 'first', '✓ Bash `do t`', '🗜️ compacted', 'last']],
    ['full', ['please', 'first', '✓ Bash `do t`', 'hmm', '🗜️ compacted', 'last']],
  ] as const)('%s', (verbosity, want) => {
    const { publish, read } = thread({ verbosity });
    publish(items);
    expect(read()).toEqual(want);
  });

  test('full shows what went in and came out, each call for itself', () => {
    const { publish, messages } = thread({ verbosity: 'full' });
    publish([
      tool('t1', 1, { input: '{"command":"ls"}', output: 'out' }),
      tool('t2', 2, { diff: '-a\n+b' }),
    ]);
    expect([...messages.values()].map((m) => m.message)).toMatchObject([
      { details: '```json\n{"command":"ls"}\n```\n```\nout\n```' },
      { details: '```diff\n-a\n+b\n```' },
    ]);
  });

  test('quiet: the last text of a turn is posted when the turn turns out to have ended', () => {
    const { publish, read } = thread({ verbosity: 'quiet' });
    publish([text('a', 1, 'so')]);
    expect(read()).toEqual([]);
    publish([text('a', 1, 'so', { endsTurn: true })]);
    publish([text('a', 1, 'so', { endsTurn: true })]);
    expect(read()).toEqual(['so']);
  });
});

describe('P4 exactly once, in order', () => {
  test('a revision edits the message that it revises', () => {
    const { publish, read, messages } = thread();
    publish([said('u', 1, 'go')]);
    publish([said('u', 1, 'go', { status: 'unsent' }), said('u2', 2, 'go!')]);
    expect(read()).toEqual(['go\n\n_(taken back before it was sent)_', 'go!']);
    expect(messages.get('u')?.edits).toBe(1);
  });

  const item = fc.tuple(
    fc.constantFrom('text', 'user', 'tool', 'dialog', 'life', 'child'),
    fc.boolean(),
  );
  const stories = fc.array(item, { minLength: 1, maxLength: 25 }).map((kinds) =>
    kinds.map(([kind, flag], n): Item => {
      const name = `i${n}`;
      if (kind === 'text') return text(name, n, `text ${n}`, { endsTurn: flag });
      if (kind === 'user') return said(name, n, `said ${n}`);
      if (kind === 'tool') return tool(name, n, { status: flag ? 'done' : 'running' });
      if (kind === 'dialog') return dialog(name, n, flag ? { status: 'answered' } : {});
      if (kind === 'child') return tool(name, n, { parent: `i${Math.max(0, n - 1)}` });
      return lifecycle(name, n);
    }),
  );
  const verbosities = fc.constantFrom('quiet', 'normal', 'full') as fc.Arbitrary<
    PlanInput['verbosity']
  >;

  test('the same event again plans nothing', () => {
    fc.assert(
      fc.property(stories, verbosities, (items, verbosity) => {
        const { publish } = thread({ verbosity });
        publish(items);
        expect(publish(items)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  test('however the items are cut into events, and repeated from a cursor, the same is read', () => {
    const cuts = fc.array(fc.tuple(fc.nat(30), fc.nat(5)), { maxLength: 8 });
    fc.assert(
      fc.property(stories, verbosities, cuts, (items, verbosity, places) => {
        const once = thread({ verbosity });
        once.publish(items);
        const often = thread({ verbosity });
        let done = 0;
        for (const [to, back] of [...places].sort((a, b) => a[0] - b[0])) {
          // From a low-water mark again: what came before is repeated.
          often.publish(items.slice(Math.max(0, done - back), to));
          done = Math.max(done, Math.min(to, items.length));
        }
        often.publish(items.slice(done));
        expect(often.read()).toEqual(once.read());
      }),
      { numRuns: 300 },
    );
  });

  test('beyond the room nothing new is planned, and the first offset is told', () => {
    const { publish, read } = thread({ room: 2 });
    const ops = publish([
      text('a', 10, 'a'),
      tool('t', 20, { status: 'running' }),
      tool('t2', 30),
      text('b', 40.001, 'b'),
      tool('t3', 50),
    ]);
    expect(read()).toEqual(['a', '⏳ Bash `do t`\n✓ Bash `do t2`']);
    expect(ops.filter((op) => op.op === 'pass-over')).toEqual([
      { op: 'pass-over', from: 40 },
      { op: 'pass-over', from: 50 },
    ]);
  });

  test('a thread that is behind: revisions and dialogs still go, nothing else new', () => {
    const { publish, read } = thread();
    publish([tool('t', 1, { status: 'running' })]);
    publish([tool('t', 1), text('a', 2, 'later'), tool('t2', 3), dialog('d', 4)], {
      isBehind: true,
    });
    expect(read()).toEqual(['✓ Bash `do t`', expect.stringContaining('Which one?')]);
  });

  test('R2 what is older than the start of its process is copied history', () => {
    const { publish, read } = thread({ notBefore: 1_000_005 });
    publish([text('old', 4, 'old'), dialog('d', 3), tool('t', 4.5), text('new', 5, 'new')]);
    publish([text('old', 4, 'old', { endsTurn: true })]);
    expect(read()).toEqual(['new']);
  });
});

describe('Q5 one message per dialog, whoever reports it', () => {
  test('open with buttons, then what was answered, and no way back', () => {
    const { publish, messages } = thread();
    const run = runSummary({ pendingDialog: pending('d') });
    publish([dialog('d', 1)], { run });
    expect(messages.get('dialog:d')?.message).toMatchObject({
      isOpen: true,
      takesOwnWords: true,
      buttons: [{ label: 'Red' }, { label: 'Green' }],
    });
    publish([dialog('d', 1, { status: 'answered', answers: { 'Which one?': 'Red' } })], { run });
    publish([dialog('d', 1)], { run });
    expect(messages.get('dialog:d')?.message).toMatchObject({ isOpen: false, buttons: [] });
    expect(messages.get('dialog:d')?.message).toMatchObject({
      markdown: expect.stringMatching(/✅ Answered: \*\*Red\*\* · 00:16 UTC$/),
    });
    expect(messages.get('dialog:d')?.edits).toBe(1);
  });
});
