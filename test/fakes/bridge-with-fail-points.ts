import { type ChannelId, id } from '../../src/bridge/model/ids.ts';
import { makeBridge } from '../../src/cli/compose.ts';
import { processDeps } from '../../src/cli/process-deps.ts';
import { runProgram } from '../../src/cli/program.ts';
import { MemoryAdapter, memoryPlatformId, overHttp } from '../conformance/memory-adapter.ts';

/**
 * The bridge's own command with two differences: at the named point (`AFK_TEST_FAIL_POINT`, its Nth
 * time by `name#N`) the process ends itself by SIGKILL, as a power cut would; and it posts every run
 * to the memory platform at `AFK_TEST_MEMORY`, which outlives it.
 */
const [point, times] = (process.env.AFK_TEST_FAIL_POINT ?? '').split('#');
let left = Number(times ?? 1);
const failPoint = (name: string): void => {
  if (name !== point) return;
  left -= 1;
  if (left !== 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal is on its way: nothing more may happen.
  for (;;);
};
const url = process.env.AFK_TEST_MEMORY;
const memory =
  url === undefined
    ? {}
    : {
        adapters: [new MemoryAdapter({ call: overHttp(url) })],
        channels: [
          {
            id: id<ChannelId>('memory:team'),
            platform: memoryPlatformId,
            match: { all: true },
            verbosity: 'normal',
          } as const,
        ],
      };

process.exitCode = await runProgram(
  process.argv.slice(2),
  processDeps((config, stateDir, log) =>
    makeBridge(config, stateDir, log, { failPoint, ...memory }),
  ),
);
