import { describe, expect, test } from 'vitest';
import { presentCatchUp } from '../../../../src/bridge/chat/catch-up-file.ts';
import { isSelected, presentLifecycle, presentText } from '../../../../src/bridge/chat/present.ts';
import {
  type DialogSeen,
  presentOpenDialog,
  presentSettledDialog,
} from '../../../../src/bridge/chat/present-dialog.ts';
import {
  headDigest,
  headEditAt,
  presentHead,
  stateNotice,
  stateText,
} from '../../../../src/bridge/chat/present-head.ts';
import { redactMessage } from '../../../../src/bridge/chat/redact-message.ts';
import type { DialogContent } from '../../../../src/bridge/model/conversation.ts';
import { type ActorId, type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import type { RunState } from '../../../../src/bridge/model/run-state.ts';
import { dialog, lifecycle, question, runSummary, said, text, tool } from './items.ts';

const alice = id<ActorId>('slack:T0TEAM/U0ALICE');
const seen = (content: DialogContent, more: Partial<DialogSeen> = {}): DialogSeen => ({
  dialog: id<DialogId>('d1'),
  content,
  isAnswerable: true,
  link: undefined,
  mentions: [],
  ...more,
});
const several: DialogContent = {
  type: 'question',
  questions: [...question('One').questions, ...question('Two').questions],
};
const multi: DialogContent = {
  type: 'question',
  questions: question().questions.map((q) => ({ ...q, multiSelect: true })),
};
const preview: DialogContent = {
  type: 'question',
  questions: question().questions.map((q) => ({
    ...q,
    options: [{ label: 'Red', preview: '```\n# red' }],
  })),
};

describe('Q1 Q2 an open dialog', () => {
  test('D19 one question: header, text, every option with its description, a button each', () => {
    expect(presentOpenDialog(seen(question()))).toEqual({
      type: 'dialog',
      dialog: 'd1',
      markdown: '❓ **Colour**: Which one?\n1. **Red** – about Red\n2. **Green** – about Green',
      buttons: [
        { label: 'Red', answer: { type: 'choose', choices: [[0]] } },
        { label: 'Green', answer: { type: 'choose', choices: [[1]] } },
      ],
      takesOwnWords: true,
      isOpen: true,
    });
  });

  test.each<[string, DialogSeen, object]>([
    [
      'several may be chosen: a list to choose from',
      seen(multi),
      { buttons: [], multiSelect: ['Red', 'Green'] },
    ],
    ['several questions: no buttons', seen(several), { buttons: [] }],
    ['previews: no buttons', seen(preview), { buttons: [] }],
    [
      'a plan: approve in a mode, reject, or say what to change (Q3)',
      seen({ type: 'plan', plan: '# P' }, { hook: { standing: [] } }),
      {
        buttons: [
          { label: 'Approve' },
          { label: 'Approve, and accept edits' },
          { label: 'Reject' },
        ],
        takesOwnWords: true,
        ownWordsLabel: 'Say what to change',
      },
    ],
    [
      'an approval: once, or with what is offered, said in full (Q3)',
      seen(
        { type: 'approval', tool: 'Bash', summary: 'ls', input: '{"command":"ls"}' },
        { hook: { standing: [{ index: 1, words: 'never ask again for Bash(ls)' }] } },
      ),
      {
        markdown: expect.stringContaining('+ 1: allow, and never ask again for Bash(ls)'),
        buttons: [
          { label: 'Allow once' },
          { label: 'Allow + 1', answer: { type: 'approve', standing: 1 } },
          { label: 'Deny' },
        ],
        ownWordsLabel: 'Deny, and say why',
      },
    ],
    [
      'not answerable here: nothing to press',
      seen(question(), { isAnswerable: false }),
      { buttons: [] },
    ],
    [
      'a link that is an address',
      seen(several, { link: 'https://claude.ai/code/x' }),
      { link: 'https://claude.ai/code/x' },
    ],
    [
      'who asked for it is mentioned',
      seen(question(), { mentions: [alice] }),
      { mentions: [alice] },
    ],
  ])('%s', (_, what, want) => {
    expect(presentOpenDialog(what)).toMatchObject(want);
  });

  test('a command is shown to be typed on the host, and is no link', () => {
    const shown = presentOpenDialog(seen(several, { link: 'tmux attach -t x' }));
    expect(shown.markdown).toMatch(/On the host: `tmux attach -t x`$/);
    expect(shown.link).toBeUndefined();
  });

  test('D30 a shape that nobody knows is shown whole as what it is, with the link and no buttons', () => {
    const unknown = { type: 'unknown', tool: 'AskMore', input: '{"deep":{"er":["x"]}}' } as const;
    const shown = presentOpenDialog(seen(unknown, { link: 'https://claude.ai/code/x' }));
    expect(shown.markdown).toContain('AskMore');
    expect(shown.markdown).toMatch(/`{3,}[^`]*\{"deep":\{"er":\["x"\]\}\}/);
    expect(shown).toMatchObject({ link: 'https://claude.ai/code/x', buttons: [] });
  });

  test('D31 what is asked is shown whole, whatever it holds', () => {
    const input = `{"command":"${'x'.repeat(5_000)}"}`;
    const approval = { type: 'approval', tool: 'Bash', summary: 'rm', input } as const;
    expect(presentOpenDialog(seen(approval)).markdown).toContain(input);
    expect(presentOpenDialog(seen(preview)).markdown).toContain('````\n```\n# red\n````');
  });
});

test.each([
  ['answered', { by: 'Alice', answers: { q: 'Red' } }, '✅ Answered by Alice: **Red** · 13:46 UTC'],
  ['answered', {}, '✅ Answered · 13:46 UTC'],
  ['declined', { note: 'not now' }, '⛔ Declined: not now · 13:46 UTC'],
  ['timed-out', {}, '⌛ Nobody answered in time · 13:46 UTC'],
  ['superseded', {}, '↪ No longer asked · 13:46 UTC'],
  ['run-ended', {}, '⏹ The run ended before it was answered · 13:46 UTC'],
  ['closed', { by: 'Bob' }, '✅ Answered by Bob · 13:46 UTC'],
  ['closed', {}, '☑️ No longer open: answered at the terminal, or withdrawn · 13:46 UTC'],
] as const)('D18 Q5 a dialog that is %s: who, what, when; buttons go', (status, more, want) => {
  const open = presentOpenDialog(seen(question(), { mentions: [alice], link: 'https://x' }));
  const settled = presentSettledDialog(open, { status, at: 1_000_000_000, ...more });
  expect(settled).toMatchObject({ isOpen: false, buttons: [] });
  expect(settled.mentions ?? settled.link).toBeUndefined();
  expect(settled.markdown).toBe(`${open.markdown}\n\n${want}`);
});

test.each([
  [said('u', 1, 'hi'), undefined, { author: 'user', by: 'terminal' }],
  [said('u', 1, 'hi'), 'Alice (Slack)', { author: 'user', by: 'Alice (Slack)' }],
  [said('u', 1, 'hi', { origin: 'peer' }), undefined, { by: 'another session' }],
  [said('u', 1, 'hi', { origin: 'task' }), undefined, { by: 'background task' }],
  [
    text('a', 1, 'so', { status: 'partial' }),
    undefined,
    { author: 'agent', markdown: 'so\n\n_(interrupted here)_' },
  ],
  [
    said('u', 1, 'hi', { status: 'abandoned' }),
    undefined,
    { markdown: 'hi\n\n_(left behind by a rewind)_' },
  ],
  [text('a', 1, 'hm', { origin: 'thinking' }), undefined, { author: 'thinking' }],
] as const)('T11 P1 text %#', (item, by, want) => {
  expect(presentText(item, by)).toMatchObject(want);
});

test('P2 quiet leaves out what machines say to each other', () => {
  expect(isSelected(said('u', 1, 'x', { origin: 'task' }), 'quiet')).toBe(false);
  expect(isSelected(said('u', 1, 'x', { origin: 'queued' }), 'quiet')).toBe(true);
});

test('I11 P6 a limit mentions who asked for it, a compaction nobody', () => {
  const limit = lifecycle('l', 1, { event: 'limit-reached', text: 'until 15:00' });
  expect(presentLifecycle(limit, 'normal', [alice])).toMatchObject({ mentions: [alice] });
  expect(presentLifecycle(lifecycle('l', 1), 'normal', [alice])).not.toHaveProperty('mentions');
});

test('P1 a command with its output, by verbosity', () => {
  const item = lifecycle('l', 1, { event: 'shell', text: 'ls `x`', detail: 'a\nb' });
  expect(presentLifecycle(item, 'quiet', [])).toEqual({
    type: 'lifecycle',
    markdown: '💲 `ls ˋxˋ`',
  });
  expect(presentLifecycle(item, 'normal', [])).toMatchObject({
    markdown: '💲 `ls ˋxˋ`\n```\na\nb\n```',
  });
});

describe('P5 the head', () => {
  const minute = 60_000;
  test('title, state, directory and branch, age, last activity, link', () => {
    const run = runSummary({ branch: 'main', startedAt: 0, lastActivityAt: 80 * minute });
    expect(presentHead(run, 'https://x', 125 * minute)).toEqual({
      type: 'head',
      title: 'Fix it',
      lines: [
        '⚙️ working',
        '📁 /w/app · ⎇ main',
        '⏱ 2 h 5 min old · last activity 1970-01-01 01:20 UTC',
        '🔗 https://x',
      ],
    });
  });

  test('age alone is no reason for an edit within ten minutes', () => {
    const run = runSummary({ lastActivityAt: 100 * minute });
    const head = { hasChanged: false, editedAt: 95 * minute };
    expect(headEditAt(run, head, 101 * minute)).toBeUndefined();
    expect(headEditAt(run, head, 105 * minute)).toBe(105 * minute);
    expect(headEditAt(run, { ...head, editedAt: 100 * minute }, 200 * minute)).toBeUndefined();
  });

  test('a change waits for its 15 s, an end for nothing', () => {
    const head = { hasChanged: true, editedAt: 10_000 };
    expect(headEditAt(runSummary(), head, 12_000)).toBe(25_000);
    expect(headEditAt(runSummary(), head, 99_000)).toBe(99_000);
    const ended = runSummary({ state: { name: 'ended', how: 'killed' } });
    expect(headEditAt(ended, head, 12_000)).toBe(12_000);
  });

  test('the digest sees what is worth an edit', () => {
    const base = headDigest(runSummary(), undefined);
    expect(headDigest(runSummary({ lastActivityAt: 5 }), undefined)).toBe(base);
    for (const run of [
      runSummary({ title: 'b' }),
      runSummary({ branch: 'b' }),
      runSummary({ state: { name: 'idle' } }),
    ])
      expect(headDigest(run, undefined)).not.toBe(base);
  });

  test.each<[RunState, string]>([
    [{ name: 'working', background: 2 }, '⚙️ working, 2 in the background'],
    [{ name: 'blocked', cause: 'usage-limit' }, '🚧 blocked: a usage limit is reached'],
    [{ name: 'ended', how: 'lost' }, '⏹ ended (lost)'],
    [{ name: 'unreachable', why: 'no pane' }, '🔌 unreachable: no pane'],
  ])('S1 %o in words', (state, want) => {
    expect(stateText(state)).toBe(want);
  });

  test('R6 an end tells how to go on', () => {
    const run = runSummary({
      state: { name: 'ended', how: 'exited' },
      resumeCommand: 'claude -r s',
    });
    expect(stateNotice(run)).toBe('⏹ The run has ended (exited). To go on with it: `claude -r s`');
  });
});

test('P4 what piled up: counted, in order, last words in the summary', () => {
  const items = [
    said('u', 1, 'please'),
    tool('t', 2),
    dialog('d', 3, { status: 'answered' }),
    text('a', 4, 'done'),
  ];
  const file = presentCatchUp(items, 'x');
  expect(file).toMatchObject({
    type: 'file',
    name: 'missed-x.md',
    summary:
      '📎 4 items piled up while nothing could be posted (2 texts, 1 tool call, 1 dialog); the file has them in order.\nLast said: done',
    content: expect.stringMatching(
      /Person\*\* please[\s\S]*`Bash` \(done\) do t[\s\S]*→ answered[\s\S]*Agent\*\* done/,
    ),
  });
});

test('a file of very much says what it leaves out', () => {
  const items = Array.from({ length: 100 }, (_, n) => text(`a${n}`, n, 'x'.repeat(30_000)));
  const file = presentCatchUp(items, 'x');
  if (file.type !== 'file') throw new Error('no file');
  expect(file.content.length).toBeLessThan(910_000);
  expect(file.content).toMatch(/… and \d+ more items in the transcript\.\n$/);
});

test('P7 every text of every message is masked', () => {
  const masked = (text: string) => text.replaceAll('s3', '**');
  const messages = [
    { type: 'head', title: 's3', lines: ['s3'] },
    { type: 'text', author: 'user', by: 's3', markdown: 's3' },
    { type: 'activity', lines: ['s3'], details: 's3' },
    presentOpenDialog(seen({ type: 'question', questions: question('s3', ['s3']).questions })),
    presentOpenDialog(
      seen({
        ...multi,
        questions: question('s3', ['s3']).questions.map((q) => ({ ...q, multiSelect: true })),
      }),
    ),
    { type: 'lifecycle', markdown: 's3' },
    { type: 'notice', markdown: 's3', buttons: [{ label: 's3', action: { type: 'continue' } }] },
    { type: 'file', name: 's3', summary: 's3', content: 's3' },
  ] as const;
  for (const message of messages)
    expect(JSON.stringify(redactMessage(message, masked))).not.toContain('s3');
});
