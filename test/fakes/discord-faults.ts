/** What goes wrong with a call. `-after`, `lost`: it happens all the same. */
export type RestFaultKind =
  | 'lost'
  | 'refused'
  | 'hang-before'
  | 'hang-after'
  | 'broken'
  | 'broken-after'
  | 'rate-limited'
  | 'rate-limited-globally'
  | 'banned'
  | 'unauthorised'
  | 'rejected';

export interface RestFault {
  readonly kind: RestFaultKind;
  /** Matched against `POST /channels/1/messages`; default: every call that writes. */
  readonly on?: RegExp;
  /** Default 1. */
  readonly times?: number;
  readonly retryAfterMs?: number;
}

const writes = /^(POST|PATCH|PUT|DELETE) /;

/** Faults that a test has armed, in order; each is taken by the first call that it fits. */
export class RestFaults {
  #armed: { readonly fault: RestFault; left: number }[] = [];

  arm(fault: RestFault): void {
    this.#armed.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#armed = [];
  }

  take(call: string): RestFault | undefined {
    const found = this.#armed.find(
      ({ fault, left }) => left > 0 && (fault.on ?? writes).test(call),
    );
    if (found !== undefined) found.left--;
    return found?.fault;
  }
}

/** A bucket as Discord has them: so many calls within a window. */
export interface Limit {
  readonly calls: number;
  readonly windowMs: number;
}

export interface Limits {
  readonly global: Limit;
  readonly messages: Limit;
  readonly reactions: Limit;
  readonly channel: Limit;
  /** Not in any header: the headers of the bucket say that calls are left. */
  readonly renames: Limit;
  readonly other: Limit;
}

export const realLimits: Limits = {
  global: { calls: 50, windowMs: 1_000 },
  messages: { calls: 5, windowMs: 5_000 },
  reactions: { calls: 1, windowMs: 250 },
  channel: { calls: 5, windowMs: 15_000 },
  renames: { calls: 2, windowMs: 600_000 },
  other: { calls: 30, windowMs: 1_000 },
};

const plenty: Limit = { calls: 100_000, windowMs: 1_000 };
export const noLimits: Limits = {
  global: plenty,
  messages: plenty,
  reactions: plenty,
  channel: plenty,
  renames: realLimits.renames,
  other: plenty,
};

export interface Taken {
  readonly isAllowed: boolean;
  readonly limit: Limit;
  readonly remaining: number;
  readonly resetAfterMs: number;
}

/** Counts calls in fixed windows. */
export class Buckets {
  readonly #used = new Map<string, { from: number; count: number }>();

  take(name: string, limit: Limit, now: number): Taken {
    const known = this.#used.get(name);
    const bucket =
      known !== undefined && now - known.from < limit.windowMs ? known : { from: now, count: 0 };
    this.#used.set(name, bucket);
    const isAllowed = bucket.count < limit.calls;
    if (isAllowed) bucket.count++;
    return {
      isAllowed,
      limit,
      remaining: Math.max(0, limit.calls - bucket.count),
      resetAfterMs: bucket.from + limit.windowMs - now,
    };
  }
}

/** Bucket, major parameter and limit of a call. */
export const bucketOf = (
  call: string,
  limits: Limits,
): { readonly name: string; readonly limit: Limit } => {
  const major = /\/(?:channels|guilds|webhooks)\/(\d+)/.exec(call)?.[1] ?? '';
  const method = call.slice(0, call.indexOf(' '));
  if (/\/reactions\//.test(call)) return { name: `reactions:${major}`, limit: limits.reactions };
  if (/^(POST|PATCH) \/channels\/\d+\/messages(\/\d+)?$/.test(call))
    return { name: `messages-${method}:${major}`, limit: limits.messages };
  if (/^PATCH \/channels\/\d+$/.test(call))
    return { name: `channel:${major}`, limit: limits.channel };
  return { name: `other-${call.replace(/\d{15,}/g, 'x')}:${major}`, limit: limits.other };
};
