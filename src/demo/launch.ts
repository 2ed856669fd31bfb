import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface ScriptedTuiOptions {
  /** Its configuration directory: registry and transcripts go there. */
  readonly configDir: string;
  /** Name of a story, or path of a JSON file with a Script; absent: it answers `ACK <text>` and `#commands`. */
  readonly script?: string;
  /** Opens the trust dialog first. */
  readonly isUntrusted?: boolean;
  /** JSONL file that gets what really reached the agent (type Truth). */
  readonly groundTruth?: string;
  /** Scales every wait; 0.2 is five times faster. Default 1: as measured on the real program. */
  readonly pace?: number;
  /** Ends by itself when this process is gone. */
  readonly watchPid?: number;
  /** Id of a session of the same directory to go on with. */
  readonly resume?: string;
  /** With `resume`: goes on in a session of its own, with a copy of the past. */
  readonly isFork?: boolean;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** How to start a scripted TUI in a pane: one process, from the sources with tsx or from what was built. */
export const scriptedTui = (options: ScriptedTuiOptions): Launch => {
  const isSource = import.meta.url.endsWith('.ts');
  const program = fileURLToPath(
    new URL(isSource ? './scripted-tui.ts' : './scripted-tui.js', import.meta.url),
  );
  const loader = isSource
    ? ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href]
    : [];
  const flag = (name: string, value: string | number | undefined): string[] =>
    value === undefined ? [] : [`--${name}`, String(value)];
  return {
    argv: [
      process.execPath,
      ...loader,
      program,
      ...flag('script', options.script),
      ...flag('ground-truth', options.groundTruth),
      ...flag('pace', options.pace),
      ...flag('watch-pid', options.watchPid),
      ...flag('resume', options.resume),
      ...(options.isFork ? ['--fork-session'] : []),
      ...(options.isUntrusted ? ['--untrusted'] : []),
    ],
    env: { CLAUDE_CONFIG_DIR: options.configDir },
  };
};
