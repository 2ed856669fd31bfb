import type { WebSocket } from 'ws';
import { APP_ID, type Json, type SlackWorld } from './slack-world.ts';

export interface SocketTimes {
  /** So long an ack may take, ms. */
  ackWithinMs: number;
  /** An event that was not acked comes again so long after, ms. */
  redeliverAfterMs: readonly number[];
  /** After it asked a client to leave, it closes so long after, ms. */
  closeAfterMs: number;
}

interface Envelope {
  readonly id: string;
  readonly type: 'events_api' | 'interactive';
  readonly payload: Json;
  attempt: number;
  isAcked: boolean;
  readonly onAck?: (payload: Json) => void;
}

/** Sockets of the app, and what is under way on them. */
export class SlackSockets {
  readonly #world: SlackWorld;
  readonly #open = new Set<WebSocket>();
  readonly #deaf = new Set<WebSocket>();
  readonly #envelopes = new Map<string, Envelope>();
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #turn = 0;
  /** Sockets of somebody else with the same token; they swallow nothing, they are only counted. */
  strangers = 0;
  /** Next acks that get lost on their way. */
  acksToLose = 0;
  /** Next envelopes that are sent twice. */
  toDuplicate = 0;
  readonly times: SocketTimes = {
    ackWithinMs: 3_000,
    redeliverAfterMs: [0, 60_000, 300_000],
    closeAfterMs: 200,
  };
  /** How often each envelope was sent, oldest first: `retry_attempt` and when. */
  readonly sent: { readonly id: string; readonly attempt: number }[] = [];
  readonly lost: Json[] = [];

  constructor(world: SlackWorld) {
    this.#world = world;
  }

  get count(): number {
    return this.#open.size;
  }

  get unacked(): number {
    return [...this.#envelopes.values()].filter((e) => !e.isAcked).length;
  }

  add(socket: WebSocket): void {
    this.#open.add(socket);
    socket.on('ping', (data) => {
      if (!this.#deaf.has(socket)) socket.pong(data);
    });
    socket.on('message', (data) => {
      if (!this.#deaf.has(socket)) this.#acked(JSON.parse(String(data)) as Json);
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#open.delete(socket));
    this.#say(socket, {
      type: 'hello',
      num_connections: this.#open.size + this.strangers,
      connection_info: { app_id: APP_ID },
      debug_info: { host: 'loopback', approximate_connection_time: 18_060 },
    });
  }

  #say(socket: WebSocket, value: Json): void {
    if (!this.#deaf.has(socket)) socket.send(JSON.stringify(value));
  }

  #acked({ envelope_id, payload }: Json): void {
    const envelope = this.#envelopes.get(String(envelope_id));
    if (envelope === undefined) return;
    if (this.acksToLose > 0) {
      this.acksToLose--;
      return;
    }
    envelope.isAcked = true;
    envelope.onAck?.((payload ?? {}) as Json);
  }

  /** An event; comes again until it is acked or its tries are over. */
  event(payload: Json): void {
    this.#begin({ type: 'events_api', payload });
  }

  /** A click or a form: never comes again. @returns whether anybody was there to take it. */
  interactive(payload: Json, onAck: (payload: Json) => void): boolean {
    if (this.#open.size === 0) return false;
    this.#begin({ type: 'interactive', payload, onAck });
    return true;
  }

  #begin(from: Pick<Envelope, 'type' | 'payload' | 'onAck'>): void {
    const envelope: Envelope = {
      ...from,
      id: this.#world.newId('env'),
      attempt: 0,
      isAcked: false,
    };
    this.#envelopes.set(envelope.id, envelope);
    this.#send(envelope);
  }

  #send(envelope: Envelope): void {
    if (envelope.isAcked) return;
    const sockets = [...this.#open];
    const socket = sockets[this.#turn++ % Math.max(1, sockets.length)];
    const { id, type, payload, attempt } = envelope;
    this.sent.push({ id, attempt });
    const frame: Json = {
      envelope_id: id,
      type,
      payload,
      accepts_response_payload: type === 'interactive',
      ...(type === 'events_api' && {
        retry_attempt: attempt,
        retry_reason: attempt === 0 ? '' : 'timeout',
      }),
    };
    if (socket !== undefined) this.#say(socket, frame);
    if (socket !== undefined && this.toDuplicate > 0) {
      this.toDuplicate--;
      this.#say(socket, frame);
    }
    if (type === 'events_api') this.#again(envelope, socket === undefined);
  }

  #again(envelope: Envelope, isUndelivered: boolean): void {
    const after = this.times.redeliverAfterMs[envelope.attempt];
    const wait = (isUndelivered ? 0 : this.times.ackWithinMs) + (after ?? 0);
    this.#later(wait, () => {
      if (envelope.isAcked) return;
      if (after === undefined) {
        this.lost.push(envelope.payload);
        this.#envelopes.delete(envelope.id);
        return;
      }
      envelope.attempt++;
      this.#send(envelope);
    });
  }

  #later(ms: number, then: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      then();
    }, ms);
    this.#timers.add(timer);
  }

  /** Slack throws events away because there were too many; the envelope has no inner event. */
  rateLimitEvents(): void {
    const payload = { type: 'app_rate_limited', team_id: 'T0TEAM', minute_rate_limited: 1 };
    for (const socket of this.#open)
      this.#say(socket, { envelope_id: this.#world.newId('env'), type: 'events_api', payload });
  }

  /** Whatever a server may say in a bad moment. */
  sayRaw(frame: string): void {
    for (const socket of this.#open) socket.send(frame);
  }

  /** Slack asks to leave. `refresh_requested` and `link_disabled` also close soon after. */
  disconnect(reason: 'warning' | 'refresh_requested' | 'link_disabled'): void {
    for (const socket of this.#open) {
      this.#say(socket, { type: 'disconnect', reason, debug_info: { host: 'loopback' } });
      if (reason === 'warning') continue;
      this.#later(this.times.closeAfterMs, () => {
        // Nothing is sent any more on what is being closed.
        this.#open.delete(socket);
        socket.close();
      });
    }
  }

  /** TCP goes without a word. */
  drop(): void {
    for (const socket of this.#open) socket.terminate();
  }

  /** TCP stays, nothing comes through any more in either direction. */
  halfOpen(): void {
    for (const socket of this.#open) this.#deaf.add(socket);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const socket of this.#open) socket.terminate();
  }
}
