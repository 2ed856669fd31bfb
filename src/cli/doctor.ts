import { resolve } from 'node:path';
import type { LoadedConfig } from '../bridge/config-load.ts';
import { ConfigError } from '../bridge/config-load.ts';
import { findHolder } from '../bridge/instance-lock.ts';
import type { ChainLink } from '../bridge/model/chain-link.ts';
import type { CliDeps, GlobalOptions } from './cli-deps.ts';
import {
  accessLink,
  agentLink,
  configDirLink,
  configurationLink,
  nodeLink,
  portLink,
  stateLink,
  tmuxLink,
} from './doctor-links.ts';
import { type Verification, verify } from './doctor-verify.ts';
import { CliError } from './exit-codes.ts';
import { readPageNote } from './page-note.ts';
import { platformLinks } from './platform-links.ts';
import { notYet, readOnly } from './start.ts';
import { columns } from './table.ts';
import { readVerified } from './verified-versions.ts';

export interface DoctorOptions extends GlobalOptions {
  readonly json?: boolean;
  readonly verify?: boolean;
}

/** What was found, and what a verification needs of it. */
interface Found {
  readonly links: readonly ChainLink[];
  readonly loaded?: LoadedConfig;
  /** Version of the agent program, where it runs. */
  readonly version?: string;
}

const load = (options: DoctorOptions, deps: CliDeps): LoadedConfig | string => {
  try {
    return deps.load(options.config);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
};

/** Address of the page of the bridge that holds the state directory; without its token. */
const ownPage = (stateDir: string, deps: CliDeps): string | undefined => {
  const holder = findHolder(stateDir, deps.lock);
  if (holder === undefined) return undefined;
  return readPageNote(stateDir, holder.pid)?.link.split('#')[0] ?? `process ${holder.pid}`;
};

const look = async (options: DoctorOptions, deps: CliDeps): Promise<Found> => {
  const { machine } = deps;
  const own = [nodeLink(machine.nodeVersion), tmuxLink(await machine.tmuxVersion())];
  const loaded = load(options, deps);
  // Without a configuration it is not known where to look for the rest.
  if (typeof loaded === 'string')
    return { links: [...own, configurationLink({ problem: loaded })] };
  const { config, file, warnings } = loaded;
  const missing = notYet(config);
  const trouble = await machine.stateDirTrouble(config.stateDir);
  const { configDir, command } = config.claudeCode;
  const agent = await machine.agentVersion(command);
  const version = 'version' in agent ? agent.version : undefined;
  const here = version === undefined ? undefined : readVerified(config.stateDir)[version];
  const page = trouble === undefined ? ownPage(config.stateDir, deps) : undefined;
  const { host, port } = config.web;
  const links = [
    ...own,
    configurationLink(missing.length > 0 ? { problem: missing.join('\n') } : { file, warnings }),
    stateLink(config.stateDir, trouble),
    configDirLink(configDir, machine.isDirectory(configDir)),
    agentLink(command, agent, here, deps.version),
    portLink({ host, port }, page !== undefined || (await machine.isFree(host, port)), page),
    ...(await platformLinks(config, deps.platforms, page !== undefined)),
    ...readOnly(config).map(accessLink),
  ];
  return { links, loaded, ...(version === undefined ? {} : { version }) };
};

const printLinks = (links: readonly ChainLink[], deps: CliDeps): void => {
  const rows = links.map(({ name, status, says, remedy }) => [
    status,
    name,
    remedy === undefined ? says : `${says}; ${remedy}`,
  ]);
  for (const line of columns(rows)) deps.terminal.print(line);
};

/** What a verification stands on; without it nothing could be learnt about the agent. */
const NEEDED: readonly string[] = ['tmux', 'state directory', 'Claude Code'];

const verifyFound = (
  { links, loaded, version }: Found,
  options: DoctorOptions,
  deps: CliDeps,
): Promise<Verification> => {
  const without = links.filter(({ name, status }) => status === 'broken' && NEEDED.includes(name));
  if (loaded === undefined || version === undefined || without.length > 0) {
    throw new CliError('notPossible', 'nothing was verified: mend what is broken first');
  }
  const { config } = loaded;
  const { command } = config.claudeCode;
  const path = resolve(deps.cwd, deps.findProgram(command) ?? command);
  const program = { command: path, version };
  return verify(config, program, options.json === true, deps);
};

/** `afk-bridge doctor [--verify]`: each link of the chain, and whether the agent behaves as we depend on it. */
export const doctor = async (options: DoctorOptions, deps: CliDeps): Promise<void> => {
  const { terminal } = deps;
  const found = await look(options, deps);
  if (options.json !== true) printLinks(found.links, deps);
  const verification =
    options.verify === true ? await verifyFound(found, options, deps) : undefined;
  if (options.json === true) {
    const report = { links: found.links, verification: verification ?? null };
    terminal.print(JSON.stringify(report, null, 2));
  }
  const broken = found.links.filter(({ status }) => status === 'broken').length;
  const faults = [
    ...(broken === 0 ? [] : [`${broken} of ${found.links.length} links are broken`]),
    ...faultsOf(verification),
  ];
  if (faults.length > 0) throw new CliError('failed', faults.join('; '));
  if (verification === undefined || options.json === true) return;
  const { results, version } = verification;
  terminal.print(
    `Claude Code ${version} is verified on this host: all ${results.length} scenarios kept`,
  );
};

const faultsOf = (verification: Verification | undefined): readonly string[] => {
  if (verification === undefined || verification.isVerified) return [];
  const { results, version } = verification;
  const kept = results.filter(({ status }) => status === 'kept').length;
  return [
    `${kept} of ${results.length} scenarios kept: Claude Code ${version} is not verified on this host`,
  ];
};
