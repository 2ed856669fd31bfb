import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { plainError } from '../bridge/model/errors.ts';
import { isThere } from '../provider/claude-code/hook-client.ts';
import {
  hookLine,
  hookLinesIn,
  withHook,
  withoutHook,
} from '../provider/claude-code/hook-settings.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import { CliError } from './exit-codes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Claude Code's settings of this user; empty where there is no file. Throws with a sentence. */
export const readSettings = (file: string): Fields => {
  if (!existsSync(file)) return {};
  const text = readFileSync(file, 'utf8');
  let value: unknown;
  try {
    value = text.trim() === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw plainError('settings', `${file} is not valid JSON, so nothing was changed: ${error}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw plainError('settings', `${file} does not hold an object, so nothing was changed`);
  return value as Fields;
};

/** The indent that the file has, so that the rest of it stays as it was. */
const indentOf = (text: string): string => /^\{\s*\n([ \t]+)"/.exec(text)?.[1] ?? '  ';

/** Writes beside and renames: a crash leaves the old file. What was there without ours is kept as a backup. */
const writeSettings = (file: string, settings: Fields): string | undefined => {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const backup = `${file}.before-afk-bridge`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const isFirst = before !== undefined && hookLinesIn(readSettings(file)).length === 0;
  if (isFirst) writeFileSync(backup, before, { mode: 0o600 });
  const beside = `${file}.${process.pid}.tmp`;
  const text = `${JSON.stringify(settings, null, indentOf(before ?? ''))}\n`;
  writeFileSync(beside, text, { mode: 0o600 });
  renameSync(beside, file);
  return isFirst ? backup : undefined;
};

const settingsFile = (options: GlobalOptions, deps: CliDeps) => {
  const { config } = deps.load(options.config);
  return {
    config,
    file: join(config.claudeCode.configDir, 'settings.json'),
    line: hookLine(deps.program, deps.hookSocket(config.stateDir)),
  };
};

/** `afk-bridge hooks install`: idempotent; an older line of ours is replaced. */
export const hooksInstall = (options: GlobalOptions, deps: CliDeps): void => {
  const { file, line } = settingsFile(options, deps);
  const settings = readSettings(file);
  const wanted = withHook(settings, line);
  if (JSON.stringify(wanted) === JSON.stringify(settings)) {
    deps.terminal.print(`already installed in ${file}`);
    return;
  }
  const backup = writeSettings(file, wanted);
  deps.terminal.print(`installed in ${file}`);
  if (backup !== undefined) deps.terminal.print(`what was there before: ${backup}`);
  deps.terminal.print(
    'Agents that are started from now on use it; to undo: afk-bridge hooks uninstall',
  );
};

/** `afk-bridge hooks uninstall`: takes out what is ours and nothing else. */
export const hooksUninstall = (options: GlobalOptions, deps: CliDeps): void => {
  const { file } = settingsFile(options, deps);
  const settings = readSettings(file);
  if (hookLinesIn(settings).length === 0) {
    deps.terminal.print(`not installed in ${file}`);
    return;
  }
  writeSettings(file, withoutHook(settings));
  deps.terminal.print(`taken out of ${file}`);
};

/** What is wrong with the installed hook, in a sentence; undefined where it is fine or not installed. */
export const hookTrouble = (lines: readonly string[], wanted: string): string | undefined =>
  lines.length === 0 || lines.every((line) => line === wanted)
    ? undefined
    : 'the installed hook names another program or another state directory: run `afk-bridge hooks install` again';

/** `afk-bridge hooks status`. */
export const hooksStatus = async (
  options: GlobalOptions & { readonly json?: boolean },
  deps: CliDeps,
): Promise<void> => {
  const { config, file, line } = settingsFile(options, deps);
  const lines = hookLinesIn(readSettings(file));
  const trouble = hookTrouble(lines, line);
  const socket = deps.hookSocket(config.stateDir);
  const isListening = await isThere(socket);
  if (options.json === true) {
    const status = { settings: file, installed: lines.length > 0, trouble: trouble ?? null };
    deps.terminal.print(JSON.stringify({ ...status, socket, listening: isListening }, null, 2));
  } else {
    deps.terminal.print(`settings  ${file}`);
    deps.terminal.print(
      `hook      ${lines.length > 0 ? 'installed' : 'not installed (afk-bridge hooks install)'}`,
    );
    deps.terminal.print(
      `bridge    ${isListening ? 'listens' : 'does not listen: dialogs stay on the terminal'}`,
    );
  }
  if (trouble !== undefined) throw new CliError('failed', trouble);
};
