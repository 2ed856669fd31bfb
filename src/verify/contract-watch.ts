import type { Evidence } from '../bridge/model/delivery.ts';
import type { SessionOrigin } from '../bridge/model/events.ts';
import type { SessionId } from '../bridge/model/ids.ts';
import type { RunHandle } from '../bridge/model/run-state.ts';
import type { AgentProvider, Observation } from '../bridge/ports/agent-provider.ts';

/** Follows one run as the bridge does, and keeps what the contract asks for. */
export class Watch {
  readonly #stopped = new AbortController();
  readonly #following: Promise<void>;
  readonly #readTo = new Map<SessionId, number>();
  readonly #evidence: Evidence[] = [];
  readonly #origins: SessionOrigin[] = [];
  #latest: Observation | undefined;
  #failure: unknown;

  constructor(provider: AgentProvider, run: RunHandle) {
    this.#following = this.#follow(provider, run);
  }

  /** The newest observation. Throws where following the run failed: a bug of the provider. */
  get latest(): Observation | undefined {
    if (this.#failure !== undefined) {
      throw new Error('the run cannot be followed', { cause: this.#failure });
    }
    return this.#latest;
  }

  /** Everything that the transcript said of typed texts. */
  get evidence(): readonly Evidence[] {
    return this.#evidence;
  }

  /** How sessions came, one entry per observation that had another than the one before. */
  get origins(): readonly SessionOrigin[] {
    return this.#origins;
  }

  /** The row at this byte has been read, and with it the state after it. */
  hasRead(session: SessionId, offset: number): boolean {
    return (this.#readTo.get(session) ?? -1) >= offset;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#following;
  }

  async #follow(provider: AgentProvider, run: RunHandle): Promise<void> {
    const { signal } = this.#stopped;
    try {
      for await (const seen of provider.observe(run, undefined, signal)) this.#note(seen);
    } catch (error) {
      if (!signal.aborted) this.#failure = error;
    }
  }

  #note(seen: Observation): void {
    if (seen.session !== this.#latest?.session) this.#origins.push(seen.origin);
    this.#latest = seen;
    this.#evidence.push(...seen.evidence);
    if (seen.session === undefined) return;
    const offsets = [
      ...seen.evidence.map((row) => row.offset),
      ...seen.items.map((item) => item.order),
    ];
    const before = this.#readTo.get(seen.session) ?? -1;
    this.#readTo.set(seen.session, Math.max(before, ...offsets));
  }
}
