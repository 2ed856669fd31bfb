import { describe, expect, it } from 'vitest';
import type { HostCommand } from '../../../../src/bridge/model/commands.ts';
import type { AttemptStage, DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import {
  type DeliveryId,
  type DialogId,
  id,
  type RunId,
} from '../../../../src/bridge/model/ids.ts';
import type {
  AgentProvider,
  DeliveryContext,
} from '../../../../src/bridge/ports/agent-provider.ts';
import { aRun, fakeProvider } from '../../../fakes/fake-provider.ts';
import { type HostRig, hostRig } from './host-rig.ts';

const run = aRun();
const reply = (
  delivery: string,
  more: Partial<Extract<HostCommand, { type: 'reply' }>> = {},
): HostCommand => ({
  type: 'reply',
  delivery: id<DeliveryId>(delivery),
  run: run.id,
  deadline: Date.now() + 5_000,
  by: 'Alice',
  text: 'hello',
  ...more,
});
const send = (rig: HostRig, body: HostCommand): Promise<DeliveryOutcome> =>
  rig.host.command({ v: 1, id: 'e', at: 0, body });
const begin = (ctx: DeliveryContext): void =>
  ctx.attempts.begin({
    delivery: ctx.delivery,
    run: run.id,
    session: run.session,
    file: '/t',
    offset: 0,
    kind: 'reply',
    text: 'hello',
    at: 0,
  });
const provider = (more: Partial<AgentProvider>): AgentProvider => ({
  ...fakeProvider([{ run }]),
  ...more,
});

describe('the deliver loop', () => {
  it('D8: the same delivery twice joins the one under way', async () => {
    let typed = 0;
    const rig = hostRig(
      provider({
        reply: async () => {
          typed += 1;
          return { status: 'confirmed' };
        },
      }),
    );
    const both = await Promise.all([send(rig, reply('d')), send(rig, reply('d'))]);
    expect(both).toEqual([{ status: 'confirmed' }, { status: 'confirmed' }]);
    expect(typed).toBe(1);
  });

  it.each<[AttemptStage, DeliveryOutcome['status']]>([
    ['queued', 'queued'],
    ['proved', 'confirmed'],
    ['settled', 'confirmed'],
    ['withheld', 'returned'],
    ['returned', 'returned'],
    ['cleared', 'returned'],
    ['entered', 'unknown'],
  ])(
    'L1: after a restart an attempt that is %s is %s, and nothing is typed',
    async (stage, status) => {
      const rig = hostRig(provider({ reply: () => Promise.reject(new Error('typed twice')) }));
      begin({ attempts: rig.store.attempts, delivery: id<DeliveryId>('d') } as DeliveryContext);
      rig.store.attempts.advance(id<DeliveryId>('d'), stage);
      expect(await send(rig, reply('d'))).toMatchObject({ status });
    },
  );

  it('D3: Send again types a returned one anew, and only a returned one', async () => {
    const rig = hostRig(provider({ reply: async () => ({ status: 'confirmed' }) }));
    begin({ attempts: rig.store.attempts, delivery: id<DeliveryId>('d') } as DeliveryContext);
    rig.store.attempts.advance(id<DeliveryId>('d'), 'returned');
    expect(await send(rig, reply('d', { again: true }))).toEqual({ status: 'confirmed' });
    rig.store.attempts.advance(id<DeliveryId>('d'), 'entered');
    expect(await send(rig, reply('d', { again: true }))).toMatchObject({ status: 'unknown' });
  });

  it('S2: a provider that never answers is unknown once it typed, refused when it did not', async () => {
    const never = (typed: boolean) =>
      hostRig(
        provider({
          reply: (_run, _text, ctx) => {
            if (typed) begin(ctx);
            return new Promise(() => undefined);
          },
        }),
      );
    const soon = Date.now() + 50;
    expect(await send(never(true), reply('d', { deadline: soon }))).toMatchObject({
      status: 'unknown',
    });
    expect(await send(never(false), reply('d', { deadline: soon }))).toMatchObject({
      status: 'refused',
    });
  });

  it('D8, I3: an answer does not wait behind a reply that waits for proof; replies are held while a turn is interrupted', async () => {
    let prove = (): void => undefined;
    const proof = new Promise<void>((resolve) => {
      prove = resolve;
    });
    const rig = hostRig(
      provider({
        reply: async (_run, _text, ctx) => {
          await ctx.typing(async () => undefined);
          await proof;
          return { status: 'confirmed' };
        },
        answer: async (_run, _dialog, _answer, ctx) =>
          ctx.typing(async () => ({ status: 'confirmed' })),
        interrupt: async () => {
          expect(await send(rig, reply('while'))).toMatchObject({
            reason: { why: 'interrupting' },
          });
          return { status: 'confirmed' };
        },
      }),
    );
    const waiting = send(rig, reply('d'));
    const base = { run: run.id, deadline: Date.now() + 5_000, by: 'Alice' };
    const answer = {
      ...base,
      type: 'answer',
      delivery: id<DeliveryId>('a'),
      dialog: id<DialogId>('q'),
      answer: { type: 'approve' },
    } as const;
    expect(await send(rig, answer)).toEqual({ status: 'confirmed' });
    const interrupt = {
      ...base,
      type: 'interrupt',
      delivery: id<DeliveryId>('i'),
      turn: undefined,
    } as const;
    expect(await send(rig, interrupt)).toEqual({ status: 'confirmed' });
    prove();
    expect(await waiting).toEqual({ status: 'confirmed' });
  });

  it('R6, R8, A1: an ended run, one outside tmux and a private one are refused with the reason', async () => {
    const outside = aRun({ id: id<RunId>('host-3-3') });
    const { pane: _, ...bare } = outside;
    const secret = aRun({ id: id<RunId>('host-4-4'), name: 'private' });
    const rig = hostRig(fakeProvider([{ run: bare }, { run: secret }]));
    expect(await send(rig, reply('a', { run: id<RunId>('gone') }))).toMatchObject({
      reason: { why: 'ended' },
    });
    expect(await send(rig, reply('b', { run: outside.id }))).toMatchObject({
      reason: { why: 'read-only' },
    });
    expect(await send(rig, reply('c', { run: secret.id }))).toMatchObject({
      reason: { why: 'no-right' },
    });
  });

  const interrupt = (delivery: string): HostCommand => ({
    type: 'interrupt',
    delivery: id<DeliveryId>(delivery),
    run: run.id,
    deadline: Date.now() + 5_000,
    by: 'Alice',
    turn: undefined,
  });

  it('I06 I2: a second interrupt looks only after the first has its proof, and replies stay held', async () => {
    let prove = (): void => undefined;
    const seen: string[] = [];
    const rig = hostRig(
      provider({
        interrupt: async (_run, _turn, ctx) => {
          seen.push(ctx.delivery);
          if (ctx.delivery === 'i1') {
            await new Promise<void>((resolve) => {
              prove = resolve;
            });
          }
          return { status: 'confirmed' };
        },
      }),
    );
    const first = send(rig, interrupt('i1'));
    const second = send(rig, interrupt('i2'));
    await expect.poll(() => seen).toEqual(['i1']);
    expect(await send(rig, reply('r'))).toMatchObject({ reason: { why: 'interrupting' } });
    expect(seen).toEqual(['i1']);
    prove();
    await Promise.all([first, second]);
    expect(seen).toEqual(['i1', 'i2']);
  });

  it('D3, S2: what was told as not typed in time is not typed afterwards', async () => {
    let isAborted = false;
    const rig = hostRig(
      provider({
        reply: (_run, _text, ctx) => {
          ctx.signal.addEventListener('abort', () => {
            isAborted = true;
          });
          return new Promise(() => undefined);
        },
      }),
    );
    expect(await send(rig, reply('d', { deadline: Date.now() + 10 }))).toMatchObject({
      status: 'refused',
    });
    expect(isAborted).toBe(true);
  });

  it.each([
    ['Send again', { again: true }],
    ['Discard', { type: 'discard' }],
  ])(
    'D3, S3: %s on a text that a person has sent meanwhile types nothing and says so',
    async (_, more) => {
      const rig = hostRig({
        ...provider({ reply: () => Promise.reject(new Error('typed twice')) }),
        resolve: async () => ({ status: 'confirmed' }),
        clearDraft: () => Promise.reject(new Error('cleared')),
      } as AgentProvider);
      begin({ attempts: rig.store.attempts, delivery: id<DeliveryId>('d') } as DeliveryContext);
      rig.store.attempts.advance(id<DeliveryId>('d'), 'withheld');
      const command = { ...reply('d'), ...more } as HostCommand;
      expect(await send(rig, command)).toEqual({ status: 'confirmed' });
    },
  );

  it('D5: a discarded text that cannot be taken out of the box now stays known as ours', async () => {
    const rig = hostRig({
      ...provider({}),
      resolve: async () => ({ status: 'returned', reason: '' }),
      clearDraft: async () => ({ status: 'held', reason: { why: 'foreign-draft' } }),
    } as AgentProvider);
    begin({ attempts: rig.store.attempts, delivery: id<DeliveryId>('d') } as DeliveryContext);
    rig.store.attempts.advance(id<DeliveryId>('d'), 'withheld');
    const command = { ...reply('d'), type: 'discard' } as HostCommand;
    expect(await send(rig, command)).toMatchObject({ reason: { why: 'discarded' } });
    expect(rig.store.attempts.open(run.id)).toMatchObject([{ text: 'hello', stage: 'withheld' }]);
  });
});
