import { type Context, Hono } from 'hono';
import type { z } from 'zod';
import type { ChatEvent, ChatEventBody } from '../../bridge/model/chat.ts';
import type { DialogAnswer } from '../../bridge/model/delivery.ts';
import {
  type ActorId,
  type DeliveryId,
  type DialogId,
  id,
  type PlatformId,
  type RunId,
  type TurnId,
} from '../../bridge/model/ids.ts';
import type { ChatEventSink } from '../../bridge/ports/chat-adapter.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import type { Log } from '../../bridge/ports/log.ts';
import { bodies, readBody } from './body.ts';
import { problem } from './guard.ts';

export interface ActDeps {
  readonly sink: ChatEventSink;
  readonly clock: Clock;
  readonly log: Log;
}

const OWNER: ChatEvent['actor'] = {
  id: id<ActorId>('web:owner'),
  displayName: 'the web page',
  groups: [],
  isBot: false,
  isGuest: false,
};

const toAnswer = (given: z.infer<typeof bodies.answer>['answer']): DialogAnswer => {
  if (given.type !== 'deny') return given;
  return given.feedback === undefined || given.feedback === ''
    ? { type: 'deny' }
    : { type: 'deny', feedback: given.feedback };
};

/** What a person does on the page: a chat event like any other. Answered when it is durable, not before. */
export const actRoutes = (deps: ActDeps): Hono => {
  const app = new Hono();

  const take = async (
    c: Context,
    key: string,
    run: string,
    body: ChatEventBody,
  ): Promise<Response> => {
    try {
      await deps.sink({
        key: `web:${key}`,
        platform: id<PlatformId>('web'),
        actor: OWNER,
        target: { run: id<RunId>(run) },
        at: deps.clock.now(),
        body,
      });
    } catch (error) {
      deps.log.error({ err: error }, 'a chat event of the page could not be stored');
      return problem(
        c,
        503,
        'not-stored',
        'The bridge could not store this. It is kept on this page; try again.',
      );
    }
    return c.json({ accepted: true, key: `web:${key}` }, 202);
  };

  app.post('/runs/:id/reply', async (c) => {
    const read = await readBody(c, bodies.reply);
    if ('response' in read) return read.response;
    return take(c, read.value.key, c.req.param('id'), { type: 'reply', text: read.value.text });
  });

  app.post('/runs/:id/answer', async (c) => {
    const read = await readBody(c, bodies.answer);
    if ('response' in read) return read.response;
    return take(c, read.value.key, c.req.param('id'), {
      type: 'answer',
      dialog: id<DialogId>(read.value.dialog),
      answer: toAnswer(read.value.answer),
    });
  });

  app.post('/runs/:id/interrupt', async (c) => {
    const read = await readBody(c, bodies.interrupt);
    if ('response' in read) return read.response;
    const { turn } = read.value;
    return take(c, read.value.key, c.req.param('id'), {
      type: 'interrupt',
      turn: turn === undefined ? undefined : id<TurnId>(turn),
    });
  });

  app.post('/runs/:id/continue', async (c) => {
    const read = await readBody(c, bodies.continue);
    if ('response' in read) return read.response;
    return take(c, read.value.key, c.req.param('id'), { type: 'continue' });
  });

  for (const type of ['send-again', 'discard'] as const) {
    app.post(`/deliveries/:id/${type}`, async (c) => {
      const read = await readBody(c, bodies.delivery);
      if ('response' in read) return read.response;
      const delivery = id<DeliveryId>(c.req.param('id') ?? '');
      return take(c, read.value.key, read.value.run, { type, delivery });
    });
  }

  app.post('/deliveries/:id/use-as-answer', async (c) => {
    const read = await readBody(c, bodies.useAsAnswer);
    if ('response' in read) return read.response;
    return take(c, read.value.key, read.value.run, {
      type: 'use-as-answer',
      delivery: id<DeliveryId>(c.req.param('id')),
      dialog: id<DialogId>(read.value.dialog),
    });
  });
  return app;
};
