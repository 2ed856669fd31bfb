import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import type { PageClient } from '../e2e/page-client.ts';
import { Stage, type StageOptions } from './harness.ts';
import type { LiveProgram } from './program.ts';

/** The real Claude Code, the real bridge as a process of its own, and the page's interface. */
export interface Bridged {
  readonly stage: Stage;
  readonly bridge: BridgeProcess;
  readonly page: PageClient;
  stop(): Promise<void>;
}

export const openBridged = async (
  program: LiveProgram,
  options: {
    stage?: StageOptions;
    config?: Readonly<Record<string, unknown>>;
    servers?: readonly string[];
  } = {},
): Promise<Bridged> => {
  const stage = await Stage.open(program, options.stage);
  const dir = mkdtempSync(join(tmpdir(), 'afk-bridged-'));
  const bridge = new BridgeProcess({
    dir,
    configDir: stage.home.configDir,
    sockets: (options.servers ?? ['main']).map((server) => stage.socket(server)),
    ...(options.config === undefined ? {} : { config: options.config }),
  });
  const stop = async (): Promise<void> => {
    await bridge.stop();
    await stage.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    return { stage, bridge, page: await bridge.start(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
