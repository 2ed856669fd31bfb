import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { BoundedMap } from '../../bridge/model/bounded-map.ts';
import type { Clock } from '../../bridge/ports/clock.ts';
import { readHookLine, wordsOfSuggestion } from './hook-input.ts';
import { callOf, type HookRequest, HookRequests } from './hook-requests.ts';
import type { AskedCall } from './state.ts';

export interface HookServerDeps {
  readonly path: string;
  readonly clock: Clock;
  readonly onProblem: (what: string, error: unknown) => void;
}

/** A tool's input can be a whole file long. */
const mostBytes = 16 * 1024 * 1024;
/** More dialogs than this do not wait at once on one machine. */
const mostWaiting = 500;
const mostSessions = 1_000;

/**
 * The private socket on which the hooks of this user's agents wait for answers (Q3). A hook is ended
 * at once and silently where the bridge has nothing for it (L5).
 */
export class HookServer {
  readonly requests = new HookRequests();
  readonly #deps: HookServerDeps;
  readonly #sockets = new Set<Socket>();
  /** Sessions that are followed; a run that is not shown has none. */
  readonly #followed = new BoundedMap<ReadonlySet<string>>(mostSessions);
  #server: Server | undefined;
  readonly #closed = new AbortController();
  /** When it began to listen, ms since the epoch. */
  #since = 0;

  constructor(deps: HookServerDeps) {
    this.#deps = deps;
  }

  /** Listens, or says why it cannot: the keys still work. */
  async listen(): Promise<void> {
    const { path, onProblem } = this.#deps;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // What a killed bridge left; who holds the state directory holds the socket.
      rmSync(path, { force: true });
      const server = createServer((socket) => this.#accept(socket));
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(path, resolve);
      });
      server.on('error', (error) => onProblem('listening for hooks', error));
      chmodSync(path, 0o600);
      this.#server = server;
      this.#since = this.#deps.clock.now();
    } catch (error) {
      onProblem('listening for hooks', error);
    }
  }

  /** Ends; hooks that wait see the line break and wait for the next bridge. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    this.#closed.abort();
    for (const socket of this.#sockets) socket.destroy();
    if (server === undefined) return;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    rmSync(this.#deps.path, { force: true });
  }

  /** What a followed session has open now. */
  follow(
    session: string,
    open: Parameters<HookRequests['reconcile']>[1],
    isWaiting: boolean,
  ): readonly AskedCall[] {
    const before = this.#followed.get(session) ?? new Set<string>();
    const staleBefore = isWaiting ? 0 : this.#deps.clock.now() - waitsWithin;
    this.requests.reconcile(session, open, before, staleBefore);
    // Of what was open before only the calls count for which a hook still waits.
    const asked = this.requests.asked(session).flatMap(({ call }) => call ?? []);
    const kept = asked.filter((call) => before.has(call));
    this.#followed.set(session, new Set([...kept, ...open.map(callOf)]));
    return this.requests.asked(session).map(({ call = '', input, at }) => ({
      call,
      at,
      tool: input.tool_name,
      input: input.tool_input,
      standing: (input.permission_suggestions ?? []).flatMap((each, index) => {
        const words = wordsOfSuggestion(each);
        return words === undefined ? [] : [{ index, words }];
      }),
    }));
  }

  /**
   * The hook that waits for this call. Hooks that outlived the bridge before this one come back
   * within seconds, and are waited for so long.
   */
  async for(session: string, call: string, signal: AbortSignal): Promise<HookRequest | undefined> {
    const { clock } = this.#deps;
    for (;;) {
      const found = this.requests.for(session, call);
      if (found !== undefined || clock.now() - this.#since > backWithin || signal.aborted)
        return found;
      await clock.sleep(100, signal);
    }
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // The other side may end at any time; its close is what counts.
    socket.on('error', () => undefined);
    socket.setEncoding('utf8');
    let text = '';
    const read = (chunk: string): void => {
      text += chunk;
      const cut = text.indexOf('\n');
      if (cut === -1 && text.length <= mostBytes) return;
      socket.off('data', read);
      this.#take(socket, cut === -1 ? '' : text.slice(0, cut));
      text = '';
    };
    socket.on('data', read);
  }

  #take(socket: Socket, line: string): void {
    const report = readHookLine(line);
    const done = (): void => {
      socket.end('\n');
    };
    const event = report?.input.hook_event_name;
    if (report !== undefined && event === 'PreToolUse') this.requests.announce(report);
    if (report === undefined || event !== 'PermissionRequest' || this.#isFull()) {
      done();
      return;
    }
    const request: HookRequest = {
      at: report.at,
      input: report.input,
      call: report.call,
      answer: (output) => {
        if (socket.destroyed || !socket.writable) return false;
        socket.end(`${output}\n`);
        return true;
      },
      dismiss: done,
      note: (call) => {
        if (socket.writable) socket.write(`=${call}\n`);
      },
    };
    socket.on('close', () => this.requests.remove(request));
    this.requests.add(request);
    this.#endUnlessFollowed(request).catch((error: unknown) =>
      this.#deps.onProblem('a hook that waits', error),
    );
  }

  #isFull(): boolean {
    return this.requests.all.length >= mostWaiting;
  }

  /** A run that is not shown here keeps no hook; a run that has just begun may not be followed yet. */
  async #endUnlessFollowed(request: HookRequest): Promise<void> {
    await this.#deps.clock.sleep(followWithin, this.#closed.signal);
    if (this.#closed.signal.aborted) return;
    const { session_id: session } = request.input;
    if (!this.#followed.has(session) && this.requests.all.includes(request))
      this.requests.dismiss(request);
  }
}

const followWithin = 10_000;
const backWithin = 5_000;
/** The registry says waiting within this time after a hook was started. */
const waitsWithin = 3_000;
