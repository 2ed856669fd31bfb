import type { ChainLink } from '../bridge/model/chain-link.ts';
import { isVerified } from '../provider/claude-code/recipes.ts';
import type { VerifiedRecord } from './verified-versions.ts';

const OLDEST_NODE = [20, 19] as const;
const OLDEST_TMUX = [3, 2] as const;

const isOlder = (version: string, oldest: readonly [number, number]): boolean | undefined => {
  const match = /(\d+)\.(\d+)/.exec(version);
  if (match === null) return undefined;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
};

export const nodeLink = (version: string): ChainLink =>
  isOlder(version, OLDEST_NODE) === true
    ? {
        name: 'node',
        status: 'broken',
        says: `Node ${version} is too old`,
        remedy: `install Node ${OLDEST_NODE.join('.')} or newer`,
      }
    : { name: 'node', status: 'ok', says: version };

export const tmuxLink = (version: string | undefined): ChainLink => {
  const remedy = `install tmux ${OLDEST_TMUX.join('.')} or newer, for example by: sudo apt install tmux`;
  if (version === undefined) {
    return { name: 'tmux', status: 'broken', says: 'not installed or not in PATH', remedy };
  }
  const says = version.replace(/^tmux /, '');
  switch (isOlder(version, OLDEST_TMUX)) {
    case true:
      return { name: 'tmux', status: 'broken', says: `${says} is too old`, remedy };
    case undefined:
      return {
        name: 'tmux',
        status: 'note',
        says: `${says} has a version that is not known`,
        remedy,
      };
    case false:
      return { name: 'tmux', status: 'ok', says };
  }
};

/** `problem`: the sentences of a configuration that cannot be used. */
export const configurationLink = (
  found:
    | { readonly file: string | undefined; readonly warnings: readonly string[] }
    | { readonly problem: string },
): ChainLink => {
  const name = 'configuration';
  if ('problem' in found) {
    const says = found.problem.replaceAll('\n', '; ');
    return { name, status: 'broken', says, remedy: 'see docs/configuration.md' };
  }
  const says = found.file ?? 'none, everything default';
  return found.warnings.length === 0
    ? { name, status: 'ok', says }
    : { name, status: 'note', says, remedy: found.warnings.join('; ') };
};

export const stateLink = (path: string, trouble: string | undefined): ChainLink =>
  trouble === undefined
    ? { name: 'state directory', status: 'ok', says: `${path}, writable and private` }
    : {
        name: 'state directory',
        status: 'broken',
        says: `${path} cannot be used: ${trouble}`,
        remedy: 'set stateDir in the configuration to a directory of your own',
      };

export const configDirLink = (path: string, isThere: boolean): ChainLink =>
  isThere
    ? { name: 'agent directory', status: 'ok', says: path }
    : {
        name: 'agent directory',
        status: 'broken',
        says: `${path} is not there: no runs are found`,
        remedy: 'start Claude Code once, or set claudeCode.configDir in the configuration',
      };

const verifyHint = 'check it: afk-bridge doctor --verify';

/** `here`: what `doctor --verify` recorded for this very version. */
export const agentLink = (
  command: string,
  found: { readonly version: string } | { readonly why: string },
  here: VerifiedRecord | undefined,
  bridge: string,
): ChainLink => {
  const name = 'Claude Code';
  if ('why' in found) {
    return {
      name,
      status: 'broken',
      says: `${command} cannot be run: ${found.why}`,
      remedy: 'install Claude Code, or set claudeCode.command in the configuration to its path',
    };
  }
  const { version } = found;
  if (here !== undefined) {
    const says = `${version}, verified on this host on ${here.at.slice(0, 10)}`;
    return here.by === bridge
      ? { name, status: 'ok', says }
      : { name, status: 'note', says: `${says} by afk-bridge ${here.by}`, remedy: verifyHint };
  }
  if (isVerified('own-words', version)) {
    return { name, status: 'ok', says: `${version}, in the table of verified versions` };
  }
  const known = isVerified('choose-one', version);
  return {
    name,
    status: 'note',
    says: `${version} is ${known ? 'verified in part' : 'not verified'}: replies and interrupts need their proof all the same, ${known ? 'some' : 'no'} questions are answered by keys`,
    remedy: verifyHint,
  };
};

export const portLink = (
  at: { readonly host: string; readonly port: number },
  isFree: boolean,
  /** Address of the page of the bridge that runs with this state directory. */
  own: string | undefined,
): ChainLink => {
  const name = 'page';
  const address = `${at.host}:${at.port}`;
  if (own !== undefined)
    return { name, status: 'ok', says: `served by the running bridge, ${own}` };
  if (at.port === 0) return { name, status: 'ok', says: `any free port of ${at.host}` };
  return isFree
    ? { name, status: 'ok', says: `${address} is free` }
    : {
        name,
        status: 'broken',
        says: `${address} is taken by another program`,
        remedy: 'set web.port in the configuration to another one',
      };
};

/** A platform on which nobody may drive. */
export const accessLink = (says: string): ChainLink => ({
  name: 'access',
  status: 'note',
  says,
  remedy: 'name owners and drivers under access in the configuration',
});
