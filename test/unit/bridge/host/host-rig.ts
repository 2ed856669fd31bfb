import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createHost, type Host } from '../../../../src/bridge/host/host.ts';
import type { HostEvent } from '../../../../src/bridge/model/events.ts';
import type { AgentProvider } from '../../../../src/bridge/ports/agent-provider.ts';
import type { HostStore } from '../../../../src/bridge/ports/store.ts';
import { openDatabase } from '../../../../src/bridge/store/database.ts';
import { hostStore } from '../../../../src/bridge/store/host-store.ts';
import { systemClock } from '../../../../src/bridge/system-clock.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

export interface HostRig {
  readonly host: Host;
  readonly store: HostStore;
  /** What the chat side was given and has committed, in order. */
  readonly events: HostEvent[];
  /** Errors that the log was told. */
  readonly errors: unknown[];
  /** The chat side commits nothing from now on. */
  refusePublishing: boolean;
  readonly stop: AbortController;
  /** How often runs were looked for. */
  looks: number;
  /** Something hints that runs changed. */
  hint(): void;
}

/** The host side on a fake provider and a real database; a second rig on the same store is a restart. */
export const hostRig = (provider: AgentProvider, given?: HostStore): HostRig => {
  const store = given ?? hostStore(openDatabase(join(tempDir(), 'bridge.db'), 0));
  const stop = new AbortController();
  const events: HostEvent[] = [];
  const errors: unknown[] = [];
  const silent = (): void => undefined;
  let ring = silent;
  const rig: HostRig = {
    looks: 0,
    hint: () => ring(),
    store,
    events,
    errors,
    stop,
    refusePublishing: false,
    host: createHost({
      provider: {
        ...provider,
        discover: (signal) => {
          rig.looks += 1;
          return provider.discover(signal);
        },
      },
      hint: (signal) =>
        new Promise((resolve) => {
          ring = resolve;
          signal.addEventListener('abort', () => resolve());
        }),
      store,
      clock: systemClock,
      newId: randomUUID,
      isShown: (run) => run.name !== 'private',
      signal: stop.signal,
      log: { debug: silent, info: silent, warn: silent, error: (fields) => errors.push(fields) },
      link: {
        publish: async ({ body }) => {
          if (rig.refusePublishing) throw new Error('the chat side cannot commit');
          events.push(body);
        },
      },
    }),
  };
  return rig;
};
