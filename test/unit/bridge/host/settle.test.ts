import { describe, expect, it } from 'vitest';
import { settle } from '../../../../src/bridge/host/settle.ts';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { Attempt, AttemptStage, Evidence } from '../../../../src/bridge/model/delivery.ts';
import {
  type DeliveryId,
  type DialogId,
  type ItemId,
  id,
  type RunId,
  type SessionId,
  type TurnId,
} from '../../../../src/bridge/model/ids.ts';

const session = id<SessionId>('s');
const turn = (name: string): TurnId => id<TurnId>(name);
const attempt = (
  name: string,
  text: string,
  offset: number,
  stage: AttemptStage,
  more: Partial<Attempt> = {},
): Attempt => ({
  delivery: id<DeliveryId>(name),
  run: id<RunId>('r'),
  session,
  file: '/t/s.jsonl',
  offset,
  kind: 'reply',
  text,
  stage,
  at: offset,
  ...more,
});
const userRow = (text: string, offset: number, source: 'typed' | 'queued' = 'typed'): Evidence => ({
  type: 'user-row',
  text,
  offset,
  source,
  turn: turn(`t${offset}`),
});
const run = (
  open: readonly Attempt[],
  evidence: readonly Evidence[],
  items: readonly Item[] = [],
) =>
  settle(open, { session, evidence, items }, (a, b) => a === b).map((s) => [
    s.delivery,
    s.stage,
    s.outcome?.status,
  ]);
const agentText = (order: number): Item => ({
  kind: 'text',
  role: 'agent',
  origin: 'agent',
  text: 'ok',
  status: 'sent',
  id: id<ItemId>(`i${order}`),
  session,
  order,
  at: 0,
  digest: 'd',
});

describe('D3: later outcomes from the transcript', () => {
  it('S17 a late user row confirms an unknown delivery', () => {
    expect(run([attempt('a', 'hi', 10, 'entered')], [userRow('hi', 20)])).toEqual([
      ['a', 'proved', 'confirmed'],
    ]);
  });

  it('a row before the noted offset proves nothing', () => {
    expect(run([attempt('a', 'hi', 30, 'entered')], [userRow('hi', 20)])).toEqual([]);
  });

  it('the same words three times need three rows, oldest first', () => {
    const open = [
      attempt('a', 'yes', 1, 'queued'),
      attempt('b', 'yes', 2, 'queued'),
      attempt('c', 'yes', 3, 'queued'),
    ];
    expect(run(open, [userRow('yes', 10, 'queued'), userRow('yes', 11, 'queued')])).toEqual([
      ['a', 'proved', 'confirmed'],
      ['b', 'proved', 'confirmed'],
    ]);
  });

  it('the row that proved one delivery does not prove another', () => {
    const open = [
      attempt('a', 'yes', 1, 'proved', { proof: { offset: 10, turn: turn('t10') } }),
      attempt('b', 'yes', 5, 'entered'),
    ];
    expect(run(open, [userRow('yes', 10)])).toEqual([]);
  });

  it('absorbed in the middle of a turn is confirmed for good', () => {
    expect(
      run([attempt('a', 'hi', 1, 'queued')], [{ type: 'absorbed', text: 'hi', offset: 9 }]),
    ).toEqual([['a', 'settled', 'confirmed']]);
  });

  it('taken back from the queue is returned', () => {
    expect(
      run(
        [attempt('a', 'hi', 1, 'queued')],
        [{ type: 'dequeue-popped', text: undefined, offset: 9 }],
      ),
    ).toEqual([['a', 'returned', 'returned']]);
  });

  it('un-sent before the first token is returned; after it, it stays confirmed', () => {
    const proved = attempt('a', 'hi', 1, 'proved', { proof: { offset: 5, turn: turn('t5') } });
    const unsent: Evidence = { type: 'unsent', turn: turn('t5'), offset: 9 };
    expect(run([proved], [unsent])).toEqual([['a', 'returned', 'returned']]);
    expect(run([proved], [], [agentText(7)])).toEqual([['a', 'settled', undefined]]);
  });

  it('a text of the agent before the proof settles nothing', () => {
    const proved = attempt('a', 'hi', 1, 'proved', { proof: { offset: 5, turn: turn('t5') } });
    expect(run([proved], [], [agentText(4)])).toEqual([]);
  });

  it('a returned text that a person sends from the box is confirmed', () => {
    expect(run([attempt('a', 'hi', 1, 'returned')], [userRow('hi', 20)])).toEqual([
      ['a', 'proved', 'confirmed'],
    ]);
  });

  it('a text that we took out of the box is not confirmed by a person who writes the same', () => {
    expect(run([attempt('a', 'hi', 1, 'cleared')], [userRow('hi', 20)])).toEqual([]);
  });

  it('another session proves nothing', () => {
    const other = attempt('a', 'hi', 1, 'entered', { session: id<SessionId>('other') });
    expect(run([other], [userRow('hi', 20)])).toEqual([]);
  });

  it('I2: an interrupt record settles the interrupt that waits for it', () => {
    const open = [attempt('i', '', 5, 'entered', { kind: 'interrupt' })];
    expect(run(open, [{ type: 'interrupted', offset: 9 }])).toEqual([
      ['i', 'settled', 'confirmed'],
    ]);
  });

  it('D24 Q6: an answer without proof is confirmed by the result that states it, and by no other', () => {
    const open = [attempt('a', 'Green', 9, 'entered', { kind: 'answer' })];
    const answered = (given: string, order: number): Item => ({
      kind: 'dialog',
      dialog: id<DialogId>('q'),
      content: { type: 'question', questions: [] },
      status: 'answered',
      answers: { 'Which colour?': given },
      id: id<ItemId>('q'),
      session,
      order,
      at: 0,
      digest: given,
    });
    expect(run(open, [], [answered('Green', 5)])).toEqual([['a', 'settled', 'confirmed']]);
    expect(run(open, [], [answered('Red', 5)])).toEqual([]);
    expect(run(open, [], [answered('Green', 20)])).toEqual([]);
  });
});
