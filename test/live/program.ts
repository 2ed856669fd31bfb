import { type AgentProgram, findAgentProgram } from '../../src/verify/agent-program.ts';

/** What a live suite needs to know before it starts: the program, or why it is skipped. */
export interface LiveProgram {
  readonly isMissing: boolean;
  /** For the suite's title: `on Claude Code 2.1.332` or `SKIPPED: …`. */
  readonly title: string;
  readonly command: string;
  readonly version: string;
}

const describeProgram = (program: AgentProgram): LiveProgram =>
  program.status === 'installed'
    ? {
        isMissing: false,
        title: `on Claude Code ${program.version}`,
        command: program.command,
        version: program.version,
      }
    : { isMissing: true, title: `SKIPPED: ${program.reason}`, command: '', version: '' };

/**
 * The pinned Claude Code, installed when it is missing. In CI a missing program is an error,
 * unless the package registry cannot be reached; elsewhere the suite is skipped by name.
 */
export const findLiveProgram = async (version?: string): Promise<LiveProgram> => {
  const program = await findAgentProgram(version === undefined ? {} : { version });
  if (program.status === 'unavailable' && process.env.CI === 'true' && !program.isOffline) {
    throw new Error(`live tests need Claude Code: ${program.reason}`);
  }
  return describeProgram(program);
};
