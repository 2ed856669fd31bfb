import type { Log } from '../../src/bridge/ports/log.ts';

const nothing = (): void => undefined;

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
