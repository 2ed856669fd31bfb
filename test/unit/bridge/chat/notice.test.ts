import { expect, test } from 'vitest';
import { explain } from '../../../../src/bridge/chat/notice.ts';
import type { HoldReason, RefusalReason } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, type DialogId, id } from '../../../../src/bridge/model/ids.ts';
import type { BlockedCause } from '../../../../src/bridge/model/run-state.ts';

const CAUSES: readonly BlockedCause[] = [
  'trust',
  'api-key',
  'login',
  'usage-limit',
  'survey',
  'update',
  'bypass-notice',
  'auto-mode-notice',
  'menu',
  'transcript-view',
  'unknown-screen',
];
const HOLDS: readonly HoldReason[] = [
  { why: 'dialog', dialog: id<DialogId>('q'), takesOwnWords: true },
  { why: 'dialog', takesOwnWords: false },
  ...CAUSES.map((cause): HoldReason => ({ why: 'blocked', cause })),
  { why: 'foreign-draft' },
  { why: 'starting' },
  { why: 'interrupting' },
  { why: 'paused' },
  { why: 'behind', delivery: id<DeliveryId>('d') },
  { why: 'stale' },
];
const WHYS: readonly RefusalReason['why'][] = [
  'no-right',
  'ended',
  'pane-gone',
  'unreachable',
  'not-sendable',
  'too-large',
  'expired',
  'edited-away',
  'discarded',
  'command',
  'backslashes',
  'already-answered',
  'not-that-dialog',
  'not-verified',
  'already-finished',
  'not-busy',
  'read-only',
  'too-many-waiting',
];

const isSentence = (text: string | undefined): boolean =>
  text !== undefined &&
  /^[A-Z]/.test(text) &&
  /[.!?]$/.test(text) &&
  !/ {2}|\.\.|undefined/.test(text) &&
  text.length < 260;

test.each(HOLDS)('D3 a held reply says why it waits: $why $cause', (reason) => {
  const notice = explain(
    { kind: 'reply', outcome: { status: 'held', reason } },
    { attachCommand: 'tmux attach -t x' },
  );
  expect(notice.mark).toBe('⏸');
  expect(notice.text).toSatisfy(isSentence);
});

test.each(WHYS)('D3 a refusal says why and what to do: %s', (why) => {
  for (const kind of ['reply', 'answer', 'interrupt'] as const) {
    const notice = explain(
      { kind, outcome: { status: 'refused', reason: { why, detail: 'Detail of the host.' } } },
      { resumeCommand: 'claude --resume x', attachCommand: 'tmux attach -t x' },
    );
    expect(notice.mark).toBe('⛔');
    expect(notice.text).toSatisfy(isSentence);
  }
});

test('D3 every outcome has its own mark; the happy path has no text', () => {
  const marks = [
    explain({ kind: 'reply', outcome: { status: 'confirmed' } }),
    explain({ kind: 'reply', outcome: { status: 'queued' } }),
    explain({ kind: 'reply', outcome: { status: 'returned', reason: 'Escape came' } }),
    explain({ kind: 'reply', outcome: { status: 'unknown', reason: 'no proof', screen: '' } }),
  ];
  expect(marks.map((n) => n.mark)).toEqual(['✅', '🕓', '↩', '❓']);
  expect(marks.slice(0, 2).map((n) => n.text)).toEqual([undefined, undefined]);
  expect(marks[2]?.actions).toEqual(['send-again', 'discard']);
  expect(marks[3]?.actions).toEqual([]);
});

test('R6 a reply to an ended run names the command that resumes it', () => {
  const notice = explain(
    { kind: 'reply', outcome: { status: 'refused', reason: { why: 'ended', detail: '' } } },
    { resumeCommand: 'claude --resume 1234' },
  );
  expect(notice.text).toContain('`claude --resume 1234`');
});

test('D6 a dialog that takes own words offers the text as the answer; another does not', () => {
  const held = (reason: HoldReason) =>
    explain({ kind: 'reply', outcome: { status: 'held', reason } });
  expect(held({ why: 'dialog', dialog: id<DialogId>('q'), takesOwnWords: true }).actions).toContain(
    'use-as-answer',
  );
  expect(held({ why: 'dialog', dialog: id<DialogId>('q'), takesOwnWords: false }).actions).toEqual([
    'discard',
  ]);
  expect(held({ why: 'paused' }).actions).toContain('continue');
});
