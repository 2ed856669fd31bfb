import type { RunId } from '../model/ids.ts';
import type { ChangeFeed } from '../ports/run-reader.ts';

export interface ChangeEmitter extends ChangeFeed {
  /** `undefined`: the list of runs changed. */
  emit(run: RunId | undefined): void;
}

/** Tells every listener of a change; carries no content and keeps nothing. */
export const createChangeFeed = (): ChangeEmitter => {
  const listeners = new Set<(run: RunId | undefined) => void>();
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    emit: (run) => {
      for (const listener of [...listeners]) listener(run);
    },
  };
};
