import { describe, expect, test } from 'vitest';
import { maskDeliveries, maskRuns } from '../../../../src/bridge/chat/masked-reader.ts';
import { redactMessage } from '../../../../src/bridge/chat/redact-message.ts';
import type { DeliveryView, OutboundMessage } from '../../../../src/bridge/model/chat.ts';
import type { DialogContent, Item } from '../../../../src/bridge/model/conversation.ts';
import {
  type ActorId,
  type DeliveryId,
  type DialogId,
  id,
} from '../../../../src/bridge/model/ids.ts';
import { makeRedact } from '../../../../src/bridge/text/redact.ts';
import { lookAlikes } from '../text/corpus/look-alikes.ts';
import { named } from '../text/corpus/named.ts';
import { tokens } from '../text/corpus/tokens.ts';
import { dialog, lifecycle, pending, runSummary, said, text, tool } from './items.ts';
import { memoryChannel, outRig } from './out-rig.ts';

const redact = makeRedact({ tokens: ['the-bridge-own-token'], patterns: [] });

interface Leak {
  readonly secrets: readonly string[];
  readonly text: string;
}

/** Everything that must not come out, with what stands around it. */
const leaks: readonly Leak[] = [
  ...tokens.map(({ token }) => ({ secrets: [token], text: `value ${token} here` })),
  ...named,
  { secrets: ['the-bridge-own-token'], text: 'x the-bridge-own-token y' },
];

const leftIn = (shown: string): readonly string[] => {
  // JSON writes quotes and breaks with a backslash; the secrets themselves hold none of them.
  const plain = shown.replace(/\\+(["'\\])/g, '$1');
  return leaks.flatMap(({ secrets }) =>
    secrets.filter((secret) => secret.length >= 16 && plain.includes(secret)),
  );
};

const contents = (words: string): readonly DialogContent[] => [
  {
    type: 'question',
    questions: [
      {
        question: words,
        header: words,
        multiSelect: false,
        options: [{ label: words, description: words, preview: words }],
      },
    ],
  },
  { type: 'plan', plan: words },
  { type: 'approval', tool: 'Bash', summary: words, input: words },
  { type: 'unknown', tool: 'New', input: words },
];

/** Ten in one text: the corpus in fewer messages. */
const inTens = (texts: readonly string[]): readonly string[] =>
  texts.flatMap((_, n) => (n % 10 === 0 ? [texts.slice(n, n + 10).join('\n\n')] : []));

/** One item of every kind with the words in every field that people see. */
const itemsOf = (words: string, n: number): readonly Item[] => {
  const at = n * 20;
  return [
    said(`s${n}`, at, words),
    text(`a${n}`, at + 1, words),
    text(`t${n}`, at + 2, words, { origin: 'thinking' }),
    tool(`c${n}`, at + 3, { summary: words, input: words, output: words, diff: words }),
    lifecycle(`l${n}`, at + 4, { event: 'shell', text: words, detail: words }),
    ...contents(words).map((content, m) =>
      dialog(`d${n}-${m}`, at + 5 + m, {
        content,
        status: m === 0 ? 'open' : 'answered',
        answers: { [words]: words },
        note: words,
      }),
    ),
  ];
};

test(`P7 the corpus holds at least 150 secrets and 150 look-alikes`, () => {
  expect(leaks.length).toBeGreaterThanOrEqual(150);
  expect(lookAlikes.length).toBeGreaterThanOrEqual(150);
});

describe('P7 nothing of the corpus leaves the host', () => {
  test.each(['quiet', 'full'] as const)(
    'in a thread at verbosity %s',
    async (verbosity) => {
      const rig = outRig({ redact, channels: [memoryChannel({ verbosity })] });
      rig.start();
      const words = leaks.map((leak) => leak.text);
      rig.setRun({ title: words[0] ?? '', cwd: `/w/${words[1]}`, branch: words[2] ?? '' });
      await rig.runEvent();
      for (const [n, leak] of words.entries()) {
        // Each text in two kinds of items: by which kind it goes makes no difference behind the first look.
        await rig.items(itemsOf(leak, n).filter((_, kind) => (kind + n) % 4 === 0));
        if (n % 10 === 0) await rig.drain();
      }
      const run = rig.setRun({});
      for (const content of contents(words.slice(3, 9).join('\n'))) {
        const open = { ...pending('waits', { content }) };
        await rig.publish({ type: 'dialog', run, pending: open });
      }
      const [thread] = rig.store.threads.all();
      await rig.drain();
      const ref = rig.store.threads.all()[0]?.ref;
      if (ref !== undefined) {
        rig.receipts.show({
          key: 'k',
          target: { thread: ref },
          actor: id<ActorId>('memory:u'),
          mark: '❓',
          text: words.join('\n'),
          screen: words.join('\n'),
          buttons: [{ label: words[4] ?? '', action: { type: 'continue' } }],
          isPrivate: false,
        });
        await rig.drain();
      }
      expect(thread).toBeDefined();
      const everything = JSON.stringify(rig.platform.messages);
      expect(everything.length).toBeGreaterThan(10_000);
      expect(leftIn(everything)).toEqual([]);
    },
    60_000,
  );

  test('in any kind of message, before an adapter sees it', () => {
    const words = leaks.map((leak) => leak.text).join('\n\n');
    const messages: readonly OutboundMessage[] = [
      { type: 'head', title: words, lines: [words] },
      { type: 'text', author: 'agent', by: words, markdown: words },
      { type: 'activity', lines: [words], details: words },
      {
        type: 'dialog',
        dialog: id<DialogId>('d'),
        markdown: words,
        buttons: [{ label: words, answer: { type: 'approve' } }],
        multiSelect: [words],
        isOpen: true,
      },
      { type: 'lifecycle', markdown: words },
      {
        type: 'notice',
        markdown: words,
        buttons: [{ label: words, action: { type: 'continue' } }],
      },
      { type: 'file', name: words, summary: words, content: words },
    ];
    for (const message of messages) {
      expect([message.type, leftIn(JSON.stringify(redactMessage(message, redact)))]).toEqual([
        message.type,
        [],
      ]);
    }
  });

  test('on the page: runs, items, deliveries', async () => {
    const words = inTens(leaks.map((leak) => leak.text));
    const all = words.join('\n\n');
    const items = words.flatMap(itemsOf);
    const run = runSummary({
      title: all,
      cwd: all,
      branch: all,
      name: all,
      state: { name: 'unreachable', why: all },
      pendingDialog: pending('p', { content: { type: 'plan', plan: all } }),
    });
    const window = { items, cursor: 'c' };
    const runs = maskRuns(
      {
        list: async () => [run],
        run: async () => run,
        window: async () => window,
        changes: async () => window,
      },
      redact,
    );
    const delivery: DeliveryView = {
      id: id<DeliveryId>('d'),
      run: run.id,
      kind: 'reply',
      by: all,
      text: all,
      explanation: all,
      outcome: { status: 'unknown', reason: 'x', screen: all },
      actions: [],
      eventKey: 'k',
      createdAt: 1,
      updatedAt: 1,
    };
    const deliveries = maskDeliveries({ forRun: () => [delivery] }, redact).forRun(run.id);
    const shown = [
      await runs.list(),
      await runs.run(run.id),
      await runs.window(run.id, undefined, 9),
      await runs.changes(run.id, 'c'),
      deliveries,
    ];
    for (const each of shown) expect(leftIn(JSON.stringify(each))).toEqual([]);
  });

  test('look-alikes come out readable: at least 95 of 100', () => {
    const kept = lookAlikes.filter((words) => redact(words) === words);
    expect(kept.length / lookAlikes.length).toBeGreaterThanOrEqual(0.95);
  });
});
