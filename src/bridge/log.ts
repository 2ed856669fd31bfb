import { chmodSync, existsSync, renameSync, statSync } from 'node:fs';
import { pino } from 'pino';
import type { Log } from './ports/log.ts';
import { makeRedact } from './text/redact.ts';

export interface LogOptions {
  readonly level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** A file, private to the user; absent: stderr. */
  readonly file?: string | undefined;
  /** The bridge's own secrets; they never appear, wherever they stand in a line. */
  readonly secrets: readonly string[];
}

/** The log of the process, or a part of it that names a run, thread or delivery in every line. */
export interface RootLog extends Log {
  child(fields: Readonly<Record<string, string>>): RootLog;
  trace(fields: object, message: string): void;
}

const MAX_FILE_BYTES = 20_000_000;
/** The level from which on a line holds no conversation. */
const INFO = 30;
const CONVERSATION = new Set([
  'text',
  'markdown',
  'content',
  'screen',
  'input',
  'output',
  'diff',
  'plan',
  'items',
  'answer',
  'answers',
  'feedback',
  'draft',
  'body',
  'conversation',
]);
const MAX_DEPTH = 4;

const withoutConversation = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => withoutConversation(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [
      key,
      CONVERSATION.has(key) ? '[conversation]' : withoutConversation(v, depth + 1),
    ]),
  );
};

/** One older file is kept, so that the log has a bound; one that others could read is closed to them. */
const roll = (file: string): void => {
  if (!existsSync(file)) return;
  const { mode, size } = statSync(file);
  if ((mode & 0o077) !== 0) chmodSync(file, mode & 0o700);
  if (size > MAX_FILE_BYTES) renameSync(file, `${file}.1`);
};

const maskOf = (secrets: readonly string[]): ((line: string) => string) => {
  const forms = secrets
    .filter((secret) => secret.length > 0)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
  return (line) => forms.reduce((masked, form) => masked.replaceAll(form, '[secret]'), line);
};

const mapStrings = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => mapStrings(each, change));
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mapStrings(v, change)]));
};

/** A line stays JSON: what is masked by its shape is masked value by value. */
const maskLine = (secrets: readonly string[]): ((line: string) => string) => {
  const own = maskOf(secrets);
  const redact = makeRedact({ tokens: [], patterns: [] });
  return (line) => {
    const masked = own(line);
    try {
      return `${JSON.stringify(mapStrings(JSON.parse(masked), redact))}\n`;
    } catch {
      return `${redact(masked)}\n`;
    }
  };
};

/** JSON lines. Conversation text is replaced in every line of level info and above, secrets, the bridge's own and what looks like one, in all of them. */
export const createLog = (options: LogOptions): RootLog => {
  if (options.file !== undefined) roll(options.file);
  const mask = maskLine(options.secrets);
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      hooks: {
        logMethod(args, method, level) {
          const [fields, ...rest] = args as [unknown, ...unknown[]];
          const shown = level >= INFO ? withoutConversation(fields, 0) : fields;
          method.apply(this, [shown, ...rest] as typeof args);
        },
        streamWrite: mask,
      },
    },
    pino.destination({
      dest: options.file ?? 2,
      sync: true,
      mkdir: true,
      mode: 0o600,
    }),
  );
};
