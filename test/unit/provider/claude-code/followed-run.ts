import { appendFile, mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Item } from '../../../../src/bridge/model/conversation.ts';
import type { Cursor } from '../../../../src/bridge/model/events.ts';
import { id, type RunId, type SessionId } from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import type { Observation } from '../../../../src/bridge/ports/agent-provider.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { Locator } from '../../../../src/provider/claude-code/locate.ts';
import { type ObserveDeps, observe } from '../../../../src/provider/claude-code/observe.ts';
import type { RegistryReading } from '../../../../src/provider/claude-code/registry.ts';
import type { RegistryEntry } from '../../../../src/provider/claude-code/registry-entry.ts';

/** Before every recorded row and every row that a test makes. */
const LONG_AGO = Date.parse('2020-01-01T00:00:00Z');

/** A run of a made-up process whose files a test writes. */
export class FollowedRun {
  readonly root: string;
  readonly run: RunHandle;
  reading: RegistryReading;
  isAlive = true;
  readonly seen: Observation[] = [];
  readonly #abort = new AbortController();
  #task: Promise<void> | undefined;
  #gate: { wait: Promise<void>; open: () => void } | undefined;
  readonly deps: ObserveDeps;
  looks = 0;

  constructor(
    root: string,
    options: {
      session?: string;
      startedAt?: number;
      id?: string;
      deps?: Partial<ObserveDeps>;
    } = {},
  ) {
    const { session = 'aaaa', startedAt = LONG_AGO, id: runId = 'host-7-99' } = options;
    this.root = root;
    const entry: RegistryEntry = {
      pid: 7,
      sessionId: session,
      cwd: '/w',
      startedAt,
      procStart: '99',
      version: '2.1.332',
      kind: 'interactive',
      status: 'idle',
    };
    this.reading = entry;
    this.run = {
      id: id<RunId>(runId),
      pid: 7,
      procStart: '99',
      startedAt,
      cwd: '/w',
      session: id<SessionId>(session),
    };
    this.deps = {
      clock: systemClock,
      locator: new Locator({ clock: systemClock }),
      projectsDir: () => join(root, 'projects'),
      readEntry: async () => {
        this.looks += 1;
        return this.reading;
      },
      isAlive: () => this.isAlive,
      pollMs: 5,
      ...options.deps,
    };
  }

  path(session = 'aaaa'): string {
    return join(this.root, 'projects', '-w', `${session}.jsonl`);
  }

  entry(part: Partial<RegistryEntry>): void {
    if (typeof this.reading !== 'string') this.reading = { ...this.reading, ...part };
  }

  async write(bytes: Uint8Array | string, session = 'aaaa'): Promise<void> {
    await mkdir(dirname(this.path(session)), { recursive: true });
    await writeFile(this.path(session), bytes);
  }

  async append(bytes: Uint8Array | string, session = 'aaaa'): Promise<void> {
    await mkdir(dirname(this.path(session)), { recursive: true });
    await appendFile(this.path(session), bytes);
  }

  size(session = 'aaaa'): Promise<number> {
    return stat(this.path(session)).then((s) => s.size);
  }

  /** The consumer stops asking for more. */
  hold(): void {
    let open = (): void => {};
    const wait = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { wait, open };
  }

  go(): void {
    this.#gate?.open();
    this.#gate = undefined;
  }

  start(from?: Cursor): this {
    this.#task = (async () => {
      for await (const seen of observe(this.deps, this.run, from, this.#abort.signal)) {
        this.seen.push(seen);
        if (this.#gate !== undefined) await this.#gate.wait;
      }
    })();
    return this;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.go();
    await this.#task;
  }

  get ended(): Promise<void> | undefined {
    return this.#task;
  }

  get last(): Observation | undefined {
    return this.seen.at(-1);
  }

  /** The newest form of every item, in order. */
  get items(): Item[] {
    const items = new Map<string, Item>();
    for (const seen of this.seen) for (const item of seen.items) items.set(item.id, item);
    return [...items.values()].sort((a, b) => a.order - b.order);
  }

  /** In the order in which they were given first. */
  get texts(): string[] {
    const texts = new Map<string, string>();
    for (const seen of this.seen) {
      for (const item of seen.items) if (item.kind === 'text') texts.set(item.id, item.text);
    }
    return [...texts.values()];
  }
}

let made = 0;
const at = (ms: number): string => new Date(ms).toISOString();

/** A prompt of a person, as one row. */
export const promptRow = (
  text: string,
  row: { uuid?: string; parent?: string | null; at?: number; source?: string } = {},
): string =>
  `${JSON.stringify({
    parentUuid: row.parent === undefined ? null : row.parent,
    isSidechain: false,
    type: 'user',
    message: { role: 'user', content: text },
    uuid: row.uuid ?? `p${++made}`,
    timestamp: at(row.at ?? Date.now()),
    promptSource: row.source ?? 'typed',
    origin: { kind: 'human' },
  })}\n`;

export const agentRow = (
  content: string | object,
  row: { uuid?: string; parent?: string | null; at?: number } = {},
): string =>
  `${JSON.stringify({
    parentUuid: row.parent === undefined ? `a${made}` : row.parent,
    isSidechain: false,
    message: {
      role: 'assistant',
      content: [typeof content === 'string' ? { type: 'text', text: content } : content],
    },
    type: 'assistant',
    uuid: row.uuid ?? `a${++made}`,
    timestamp: at(row.at ?? Date.now()),
  })}\n`;

export const turnEndRow = (uuid = `e${++made}`, when = Date.now()): string =>
  `${JSON.stringify({
    parentUuid: `a${made}`,
    isSidechain: false,
    type: 'system',
    subtype: 'turn_duration',
    uuid,
    timestamp: at(when),
  })}\n`;
