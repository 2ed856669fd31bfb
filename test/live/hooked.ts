import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hookLine, hookSettings } from '../../src/provider/claude-code/hook-settings.ts';
import { hookSocketPath } from '../../src/provider/claude-code/hook-socket.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Arguments that give an agent the hook of the bridge with this state directory, from the sources. */
export const hookArgs = (stateDir: string): readonly string[] => {
  const loader = import.meta.resolve('tsx');
  const node = [process.execPath, '--import', loader, join(ROOT, 'src', 'main.ts')];
  const socket = hookSocketPath(stateDir, tmpdir(), process.getuid?.() ?? 0);
  return ['--settings', JSON.stringify({ hooks: hookSettings(hookLine(node, socket)) })];
};
