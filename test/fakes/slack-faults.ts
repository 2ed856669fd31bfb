/** What goes wrong with the next calls that match; `…-after`: it happens, and then its answer is bad. */
export type SlackFaultKind =
  | 'lost'
  | 'reset'
  | 'hang-after'
  | 'hang-before'
  | 'server-error'
  | 'server-error-after'
  | 'html'
  | 'html-after'
  | 'rate-limited'
  | 'rate-limited-without-header'
  | { readonly error: string };

export interface SlackFault {
  readonly kind: SlackFaultKind;
  /** A method's name, or all that write. Default: write. */
  readonly method?: string;
  readonly channel?: string;
  /** Default 1. */
  readonly times?: number;
  /** Whole seconds, as Slack has it. Default 1. */
  readonly retryAfter?: number;
}

const WRITES = /^(chat|reactions|files|views)\./;

/** Faults that wait for their call, in the order in which they were armed. */
export class SlackFaults {
  readonly #armed: { readonly fault: SlackFault; left: number }[] = [];

  arm(fault: SlackFault): void {
    this.#armed.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed.length = 0;
  }

  take(method: string, channel: string | undefined): SlackFault | undefined {
    const found = this.#armed.find(
      ({ fault, left }) =>
        left > 0 &&
        (fault.method === undefined ? WRITES.test(method) : fault.method === method) &&
        (fault.channel === undefined || fault.channel === channel),
    );
    if (found !== undefined) found.left--;
    return found?.fault;
  }
}

const TIERS: Readonly<Record<string, number>> = {
  'chat.update': 50,
  'chat.delete': 50,
  'chat.postEphemeral': 100,
  'conversations.history': 50,
  'conversations.replies': 50,
  'conversations.info': 50,
  'users.info': 100,
  'usergroups.users.list': 20,
  'reactions.add': 50,
  'reactions.get': 50,
  'reactions.remove': 20,
  'views.open': 100,
  'files.getUploadURLExternal': 100,
  'files.completeUploadExternal': 100,
  'apps.connections.open': 50,
};

interface Bucket {
  tokens: number;
  at: number;
}

/** Slack's own rates: per method, and for posts one a second per channel with short bursts. */
export class SlackRates {
  readonly #buckets = new Map<string, Bucket>();
  isOn = false;
  /** 10: ten times as many in the same time. */
  factor = 1;
  /** Posts in a burst. */
  burst = 5;

  /** @returns seconds to wait, 0 when the call may go. */
  take(method: string, channel: string | undefined, now: number): number {
    if (!this.isOn) return 0;
    const isPost = method === 'chat.postMessage';
    const perMinute = this.factor * (isPost ? 60 : (TIERS[method] ?? 1_000));
    const most = isPost ? this.burst : perMinute;
    const key = isPost ? `${method} ${channel}` : method;
    const bucket = this.#buckets.get(key) ?? { tokens: most, at: now };
    bucket.tokens = Math.min(most, bucket.tokens + ((now - bucket.at) * perMinute) / 60_000);
    bucket.at = now;
    this.#buckets.set(key, bucket);
    if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute));
    bucket.tokens--;
    return 0;
  }
}
