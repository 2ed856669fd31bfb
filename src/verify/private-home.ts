import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A HOME of its own for one real agent, so that nothing of the operator's is read or written. */
export interface PrivateHome {
  /** The temporary directory that holds all of it. */
  readonly base: string;
  readonly home: string;
  /** `<home>/.claude`: sessions, projects, settings. */
  readonly configDir: string;
  /** Real path of the working directory that was made with it. */
  readonly cwd: string;
  /** The whole environment for the agent; nothing of ours leaks into it. */
  env(apiUrl: string): Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

export interface PrivateHomeOptions {
  /** The version that is started: suppresses its release notes. */
  readonly version: string;
  /** False: the trust dialog appears for the working directory. */
  readonly isTrusted?: boolean;
  /** False: the notice of bypass mode appears at its first start. */
  readonly isBypassAccepted?: boolean;
  /** Name of the working directory. */
  readonly cwdName?: string;
  /** Content of `settings.json`. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Added to `.claude.json`. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** Not a key: only its shape is right, and only a loopback server ever sees it. */
const dummyKey = `sk-ant-dummy-${'0'.repeat(40)}`;

/** Switches off everything that would leave the machine (compat/claude-code, running it). */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
} as const;

export const makePrivateHome = async (options: PrivateHomeOptions): Promise<PrivateHome> => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'afk-live-')));
  const home = join(base, 'home');
  const configDir = join(home, '.claude');
  const cwd = join(base, options.cwdName ?? 'project');
  const temp = join(base, 'tmp');
  for (const dir of [configDir, cwd, temp]) await mkdir(dir, { recursive: true, mode: 0o700 });
  const isTrusted = options.isTrusted ?? true;
  await writeFile(
    join(home, '.claude.json'),
    JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      lastOnboardingVersion: options.version,
      customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
      ...(options.isBypassAccepted === false ? {} : { bypassPermissionsModeAccepted: true }),
      projects: isTrusted
        ? { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } }
        : {},
      ...options.config,
    }),
    { mode: 0o600 },
  );
  if (options.settings !== undefined) {
    await writeFile(join(configDir, 'settings.json'), JSON.stringify(options.settings));
  }
  return {
    base,
    home,
    configDir,
    cwd,
    env: (apiUrl) => ({
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      TMPDIR: temp,
      SHELL: '/bin/sh',
      LANG: 'C.UTF-8',
      ANTHROPIC_BASE_URL: apiUrl,
      ANTHROPIC_API_KEY: dummyKey,
      ...quiet,
      // As root the program refuses some permission modes outside a sandbox (seen 2026-11-30).
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    }),
    remove: () => rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
};
