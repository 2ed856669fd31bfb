/** Which runs are meant (R1): every pattern that is given must match. Globs: `*` within a path segment, `**` across, `?`. */
export interface RunSelector {
  readonly cwd?: string | undefined;
  readonly tmuxSession?: string | undefined;
  readonly name?: string | undefined;
}

/** The first rule that matches decides. */
export interface RunRule extends RunSelector {
  readonly show: boolean;
}

/** What a channel shows of the shown runs: its own matches, or all of them when it says so. */
export interface ChannelSelector extends RunSelector {
  readonly all?: boolean | undefined;
}

/** What a selector looks at; a RunHandle has it. */
interface Selectable {
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

/** True when at least one pattern is given and all given patterns match. */
export const selects = (selector: RunSelector, run: Selectable): boolean =>
  (selector.cwd ?? selector.tmuxSession ?? selector.name) !== undefined &&
  fits(selector.cwd, run.cwd) &&
  fits(selector.tmuxSession, run.tmuxSession) &&
  fits(selector.name, run.name);

/** Without rules everything is shown; with a list (an empty one too) no match is private. */
export const isShown = (rules: readonly RunRule[] | undefined, run: Selectable): boolean =>
  rules === undefined ? true : (rules.find((rule) => selects(rule, run))?.show ?? false);

/** Of runs that are shown at all: does this channel show this one? Nothing, unless it matches or says `all`. */
export const isInChannel = (channel: ChannelSelector, run: Selectable): boolean =>
  channel.all === true || selects(channel, run);
