import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readVerified } from '../../src/cli/verified-versions.ts';
import { contract } from '../../src/verify/contract.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();
const root = join(import.meta.dirname, '..', '..');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command line as an operator runs it, with a HOME and a directory for temporary files of its own. */
const afkBridge = (dir: string, ...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const child = spawn(process.execPath, ['--import', tsx, join(root, 'src/main.ts'), ...args], {
      cwd: dir,
      env: { PATH: process.env.PATH, HOME: dir, TMPDIR: join(dir, 'tmp') },
    });
    onTestFinished(() => void (child.exitCode === null && child.kill('SIGTERM')));
    let [out, err] = ['', ''];
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
    });
    child.stderr.on('data', (data: Buffer) => {
      err += data.toString();
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });

describe.skipIf(program.isMissing)(`afk-bridge doctor --verify ${program.title}`, () => {
  it('O1, Q4: plays the contract, records the version for this host and leaves nothing else', async () => {
    const dir = tempDir();
    for (const name of ['claude', 'tmp']) mkdirSync(join(dir, name));
    writeFileSync(
      join(dir, 'afk-bridge.yaml'),
      `stateDir: state\nclaudeCode: { configDir: claude, command: ${JSON.stringify(program.command)} }\nweb: { port: 0 }\n`,
    );
    const { code, out, err } = await afkBridge(dir, 'doctor', '--verify', '--json');
    const { links, verification } = JSON.parse(out) as {
      links: readonly { readonly name: string; readonly status: string }[];
      verification: { readonly results: readonly { readonly status: string }[] };
    };
    expect(verification.results.filter(({ status }) => status !== 'kept')).toEqual([]);
    expect(verification).toMatchObject({ version: program.version, isVerified: true });
    expect(verification.results).toHaveLength(contract.length);
    expect(links.filter(({ status }) => status === 'broken')).toEqual([]);
    expect(code).toBe(0);
    expect(err).toContain(`1/${contract.length} `);
    expect(Object.keys(readVerified(join(dir, 'state')))).toEqual([program.version]);
    expect(readdirSync(join(dir, 'claude'))).toEqual([]);
    expect(readdirSync(join(dir, 'tmp')).filter((name) => name.startsWith('afk-'))).toEqual([]);
    const again = await afkBridge(dir, 'doctor');
    expect(again.code).toBe(0);
    expect(again.out).toMatch(/ok +Claude Code +\S+, verified on this host on /);
  });
});
