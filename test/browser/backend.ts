import { WebPage } from '../../src/adapters/web/server.ts';
import { createChangeFeed } from '../../src/bridge/chat/change-feed.ts';
import type { ChatEvent } from '../../src/bridge/model/chat.ts';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { FakeRuns } from './fake-runs.ts';

/** The real server over runs in memory; it can be stopped and started again at the same port. */
export class Backend {
  readonly runs = new FakeRuns();
  readonly changes = createChangeFeed();
  /** By key, as the inbox would keep them: the same key again is no news. */
  readonly events = new Map<string, ChatEvent>();
  onEvent: (event: ChatEvent) => void = () => {};
  readonly #stateDir: string;
  #page: WebPage | undefined;
  #port = 0;

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.runs.onChange = (run) => this.changes.emit(run);
  }

  get page(): WebPage {
    if (this.#page === undefined) throw new Error('the backend is not running');
    return this.#page;
  }

  async start(): Promise<void> {
    const page = new WebPage({
      config: { host: '127.0.0.1', port: this.#port, stateDir: this.#stateDir },
      runs: this.runs,
      deliveries: { forRun: (run) => this.runs.deliveries.get(run) ?? [] },
      changes: this.changes,
      clock: systemClock,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: console.error },
      probes: {},
    });
    await page.start((event) => {
      if (!this.events.has(event.key)) {
        this.events.set(event.key, event);
        this.onEvent(event);
      }
      return Promise.resolve();
    }, new AbortController().signal);
    this.#page = page;
    this.#port = Number(new URL(page.url).port);
  }

  async stop(): Promise<void> {
    await this.#page?.stop();
    this.#page = undefined;
  }
}
