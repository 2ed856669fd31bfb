import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';

interface Line {
  readonly started?: true;
  readonly heard?: string;
  readonly health?: { readonly isConnected: boolean; readonly detail: string };
}

export const patience = { timeout: 20_000 };

/** An adapter in a process of its own, as a script of test/fakes starts it. */
export class AdapterChild {
  readonly #lines: Line[] = [];
  readonly #process: ChildProcess;
  #errors = '';

  constructor(script: string, config: object) {
    const argv = ['--import', 'tsx', script, JSON.stringify(config)];
    this.#process = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'pipe'] });
    const { stdout, stderr } = this.#process;
    if (stdout === null || stderr === null) throw new Error('no pipes');
    createInterface({ input: stdout }).on('line', (line) =>
      this.#lines.push(JSON.parse(line) as Line),
    );
    stderr.on('data', (chunk) => {
      this.#errors += String(chunk);
    });
  }

  get health() {
    return this.#lines.findLast((line) => line.health !== undefined)?.health;
  }

  get heard() {
    return this.#lines.flatMap((line) => line.heard ?? []);
  }

  /** Lives, has started, and has said nothing to its error output. */
  async isWell(): Promise<void> {
    await expect.poll(() => this.#lines.some((l) => l.started), patience).toBe(true);
    expect(this.#errors).toBe('');
    expect(this.#process.exitCode).toBeNull();
  }

  async says(words: RegExp): Promise<void> {
    await expect.poll(() => this.health?.detail ?? '', patience).toMatch(words);
    await this.isWell();
  }

  /** Puts the process to sleep, or wakes it. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(name);
  }

  /** Asked to, it ends by itself, within the 5 s of `stop`. */
  async end(): Promise<void> {
    this.#process.stdin?.end();
    try {
      await expect.poll(() => this.#process.exitCode, { timeout: 8_000 }).toBe(0);
    } finally {
      this.#process.kill('SIGKILL');
    }
  }
}
