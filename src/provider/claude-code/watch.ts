import { type FSWatcher, watch } from 'chokidar';

/** Tells that a file may have changed. Only a hint: whoever listens looks at the file too. */
export interface FileHints {
  /** Returns how to stop listening. */
  listen(path: string, onChange: () => void): () => void;
}

/** One watcher for all files of all runs. */
export class FileWatcher implements FileHints {
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #watcher: FSWatcher;

  constructor(deps: { readonly onError: (error: unknown) => void }) {
    this.#watcher = watch([], { ignoreInitial: true, followSymlinks: true });
    this.#watcher.on('all', (_event, path) => {
      for (const listener of this.#listeners.get(path) ?? []) listener();
    });
    this.#watcher.on('error', deps.onError);
  }

  listen(path: string, onChange: () => void): () => void {
    const known = this.#listeners.get(path);
    const listeners = known ?? new Set();
    listeners.add(onChange);
    if (known === undefined) {
      this.#listeners.set(path, listeners);
      this.#watcher.add(path);
    }
    return () => {
      listeners.delete(onChange);
      if (listeners.size > 0 || this.#listeners.get(path) !== listeners) return;
      this.#listeners.delete(path);
      this.#watcher.unwatch(path);
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
    await this.#watcher.close();
  }
}
