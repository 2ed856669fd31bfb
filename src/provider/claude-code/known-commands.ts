import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { BUILT_IN_COMMANDS } from './built-in-commands.ts';
import { isAbsent } from './is-absent.ts';
import type { CommandKnowledge } from './sendable.ts';

/** A source with more files than this is not listed: nothing is proven then. */
const MOST_FILES = 5_000;

/** Arguments that add commands from places which are not looked at. */
const OTHER_SOURCES = ['--add-dir', '--plugin-dir', '--plugin', '--agents', '--settings'];

export interface CommandSources {
  readonly version: string | undefined;
  readonly configDir: string;
  readonly cwd: string;
  /** Arguments of the agent's process. */
  readonly argv: readonly string[];
}

/**
 * Lists what a leading `/word` could be in this run: built-in commands of a verified version, and the
 * command, skill and plugin files of the person and of the project (D1). Asked anew for each such
 * reply; a source that cannot be listed makes every word unproven.
 */
export const listCommands = async (
  sources: CommandSources,
): Promise<(word: string) => CommandKnowledge> => {
  const builtIn = BUILT_IN_COMMANDS.get(sources.version ?? '');
  const hasOtherSources = sources.argv.some((a) =>
    OTHER_SOURCES.some((o) => a === o || a.startsWith(`${o}=`)),
  );
  if (builtIn === undefined || hasOtherSources) return () => 'unproven';
  const own = new Set<string>();
  for (const root of [
    sources.configDir,
    ...ancestors(sources.cwd).map((d) => join(d, '.claude')),
  ]) {
    for (const folder of ['commands', 'skills', 'plugins']) {
      const names = await namesBelow(join(root, folder));
      if (names === undefined) return () => 'unproven';
      for (const name of names) own.add(name);
    }
  }
  return (word) => {
    const name = word.toLowerCase();
    // `plugin:command` and `mcp__server__prompt` may come from a server that has no file here.
    if (name.includes(':') || name.startsWith('mcp__')) return 'unproven';
    return builtIn.has(name) || own.has(name) ? 'known' : 'unknown';
  };
};

const ancestors = (directory: string): readonly string[] => {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [directory, ...ancestors(parent)];
};

/** Names of commands (`x.md`) and skills (folder of a SKILL.md), and of every folder, which may be a namespace. */
const namesBelow = async (directory: string): Promise<readonly string[] | undefined> => {
  let entries: Dirent[];
  try {
    entries = await readdir(directory, { recursive: true, withFileTypes: true });
  } catch (error) {
    return isAbsent(error) ? [] : undefined;
  }
  if (entries.length > MOST_FILES) return undefined;
  // A link may lead to a folder of commands that the listing did not follow.
  if (entries.some((e) => e.isSymbolicLink())) return undefined;
  return entries
    .filter((e) => e.isDirectory() || /\.md$/i.test(e.name))
    .flatMap((e) => [basename(e.name).replace(/\.md$/i, ''), ...e.parentPath.split(sep).slice(-1)])
    .map((name) => name.toLowerCase());
};
