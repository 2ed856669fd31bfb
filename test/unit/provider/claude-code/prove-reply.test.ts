import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Attempt } from '../../../../src/bridge/model/delivery.ts';
import { type DeliveryId, id, type SessionId } from '../../../../src/bridge/model/ids.ts';
import { findProof, proveReply } from '../../../../src/provider/claude-code/prove-reply.ts';
import { resolveReply } from '../../../../src/provider/claude-code/resolve.ts';
import { MemoryAttempts } from '../../../../src/verify/attempts.ts';
import { fakeContext, fakeDeps, fakePane, fakeRun } from '../../../fakes/fake-agent.ts';
import { JumpClock } from '../../../fakes/jump-clock.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const session = id<SessionId>('s');
const delivery = id<DeliveryId>('d');
const text = 'yes, go on';
const at = (second: number) => ({
  sessionId: 's',
  timestamp: `2026-11-30T12:00:0${second}.000Z`,
});
const userRow = `${JSON.stringify({
  ...{ ...at(0), uuid: 'u1', parentUuid: null, type: 'user', promptSource: 'typed' },
  ...{ message: { role: 'user', content: text }, origin: { kind: 'human' } },
})}\n`;
const agentRow = `${JSON.stringify({
  ...{ ...at(1), uuid: 'a1', parentUuid: 'u1', type: 'assistant' },
  message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'ACK' }] },
})}\n`;

/** An idle agent with an empty box, and a transcript that holds these rows. */
const rig = (rows: string) => {
  const clock = new JumpClock();
  const attempts = new MemoryAttempts();
  const file = join(tempDir(), 's.jsonl');
  writeFileSync(file, rows);
  const deps = fakeDeps(clock, { transcript: async () => file });
  const ctx = fakeContext(clock, { delivery, attempts, withinMs: 3_000 });
  const begin = (of: string, where: SessionId): Attempt => {
    const key = id<DeliveryId>(of);
    const begun = { delivery: key, run: fakeRun.id, session: where, file, offset: 0, text, at: 0 };
    attempts.begin({ ...begun, kind: 'reply' });
    return { ...begun, kind: 'reply', stage: 'proved', proof: { offset: 0 } };
  };
  const proved = (of: string, where: SessionId): Attempt => {
    const attempt = begin(of, where);
    attempts.advance(attempt.delivery, 'proved', attempt.proof);
    return attempt;
  };
  return { clock, deps, ctx, file, begin, proved };
};

it('D3: a proved reply that the agent has answered was not un-sent; nobody waits for the box', async () => {
  const { clock, deps, ctx, proved } = rig(userRow + agentRow);
  const began = clock.now();
  const outcome = await resolveReply(deps, fakeRun, proved('d', session), ctx);
  expect(outcome).toEqual({ status: 'confirmed' });
  expect(clock.now()).toBe(began);
});

it('D2: a row at the same offset of another session’s transcript has proved nothing here', async () => {
  const { clock, deps, ctx, file, begin, proved } = rig(userRow);
  proved('before /clear', id<SessionId>('another'));
  begin('d', session);
  const typing = { run: fakeRun, pane: fakePane, text, session, file, offset: 0 };
  expect(await findProof(deps, typing, ctx, clock.now())).toEqual({ status: 'confirmed' });
  proved('just now', session);
  expect(await findProof(deps, typing, ctx, clock.now())).toBeUndefined();
});

it.each([
  ['a letter behind it', 'yes, go onz', 'confirmed'],
  ['words before it', 'wait: yes, go on', 'confirmed'],
  ['another text', 'yes, go elsewhere', 'unknown'],
  ['a long text that ends with it', `${'much of its own '.repeat(9)}yes, go on`, 'unknown'],
])(
  'D2: what somebody typed before Enter had gone is said, not denied: %s',
  async (_, there, is) => {
    const { deps, ctx, file, begin } = rig(userRow.replace(text, there));
    begin('d', session);
    const typing = { run: fakeRun, pane: fakePane, text, session, file, offset: 0 };
    const outcome = await proveReply(deps, typing, ctx);
    expect(outcome.status).toBe(is);
    if (outcome.status === 'confirmed') expect(outcome.note).toContain('together');
  },
);
