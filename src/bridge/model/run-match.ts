import type { RunMatch, RunRule } from './thread.ts';

/** What a match looks at; a RunHandle has it. */
interface Matchable {
  readonly cwd: string;
  readonly tmuxSession?: string | undefined;
  readonly name?: string | undefined;
}

const toRegExp = (glob: string): RegExp => {
  // `dir/**` means the directory itself as well: a run that sits in it is in it.
  const body = glob.replace(/\/\*\*$/, '\u0000');
  const source = body.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = source
    .replaceAll('\\*\\*/', '(?:.*/)?')
    .replaceAll('\\*\\*', '.*')
    .replaceAll('\\*', '[^/]*')
    .replaceAll('\\?', '[^/]')
    .replaceAll('\u0000', '(?:/.*)?');
  return new RegExp(`^${pattern}$`, 'su');
};

const fits = (glob: string | undefined, value: string | undefined): boolean =>
  glob === undefined || (value !== undefined && toRegExp(glob).test(value));

/** True when all given patterns match, and at least one is given; `all` needs none. */
export const matchesRun = (match: RunMatch, run: Matchable): boolean =>
  match.all === true ||
  ((match.cwd ?? match.tmuxSession ?? match.name) !== undefined &&
    fits(match.cwd, run.cwd) &&
    fits(match.tmuxSession, run.tmuxSession) &&
    fits(match.name, run.name));

/** Without rules everything is shown; with a list (an empty one too) no match is private (R1). */
export const isShown = (rules: readonly RunRule[] | undefined, run: Matchable): boolean =>
  rules === undefined ? true : (rules.find((rule) => matchesRun(rule, run))?.show ?? false);
