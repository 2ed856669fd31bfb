import { statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { plan } from '../bridge/chat/plan.ts';
import { redactMessage } from '../bridge/chat/redact-message.ts';
import { secretsOf } from '../bridge/config.ts';
import type { OutboundMessage } from '../bridge/model/chat.ts';
import type { Item } from '../bridge/model/conversation.ts';
import { id, type RunId } from '../bridge/model/ids.ts';
import type { RunSummary } from '../bridge/model/run-state.ts';
import type { Verbosity } from '../bridge/model/thread.ts';
import { isTranscriptReader, type TranscriptReader } from '../bridge/ports/agent-provider.ts';
import { prepareStateDir } from '../bridge/state-dir.ts';
import { makeRedact, type Redact } from '../bridge/text/redact.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';
import { messageLines } from './message-lines.ts';

export interface ReplayOptions extends GlobalOptions {
  readonly verbosity: Verbosity;
  readonly json?: boolean;
}

const AT_ONCE = 500;

/** All items of a transcript in its order; a later revision replaces the earlier form. */
const readAll = async (reader: TranscriptReader, path: string): Promise<readonly Item[]> => {
  const items = new Map<string, Item>();
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const window = await reader.since(path, offset, AT_ONCE);
    for (const item of window.items) items.set(item.id, item);
    offset = window.next;
  }
  return [...items.values()].sort((a, b) => a.order - b.order);
};

/** What a thread of its own would hold in the end, in order. */
const messagesOf = (
  items: readonly Item[],
  run: RunSummary,
  verbosity: Verbosity,
  redact: Redact,
): readonly OutboundMessage[] =>
  plan({
    redact,
    run,
    verbosity,
    items,
    notify: [],
    names: { ofText: () => undefined, ofDialog: () => undefined },
    place: undefined,
    link: undefined,
    ledger: [],
    tail: undefined,
    notBefore: 0,
    room: Number.POSITIVE_INFINITY,
    isBehind: false,
  }).ops.flatMap((op) => (op.op === 'show' ? [op.message] : []));

/** `afk-bridge replay FILE`: what a transcript would post, masked as it would be. */
export const replay = async (
  file: string,
  options: ReplayOptions,
  deps: CliDeps,
): Promise<void> => {
  const { config } = deps.load(options.config);
  const provider = deps.makeProvider(config, prepareStateDir(config.stateDir));
  if (!isTranscriptReader(provider)) {
    throw new CliError('notPossible', `${provider.displayName} has no transcripts to read`);
  }
  const path = resolve(deps.cwd, file);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new CliError('notFound', `${path}: no such transcript`);
  }
  const items = await readAll(provider, path);
  const redact = makeRedact({ tokens: secretsOf(config), patterns: config.redact.patterns });
  const run: RunSummary = {
    id: id<RunId>('replay'),
    pid: 0,
    procStart: '',
    startedAt: 0,
    cwd: deps.cwd,
    configDir: config.claudeCode.configDir,
    state: { name: 'ended', how: 'exited' },
    title: basename(path),
    lastActivityAt: items.at(-1)?.at ?? 0,
  };
  const messages = messagesOf(items, run, options.verbosity, redact).map((m) =>
    redactMessage(m, redact),
  );
  const { terminal } = deps;
  if (options.json === true) {
    terminal.print(JSON.stringify(messages, null, 2));
    return;
  }
  for (const message of messages) {
    for (const line of messageLines(message)) terminal.print(line);
  }
  terminal.say(`${messages.length} messages of ${items.length} items`);
};
