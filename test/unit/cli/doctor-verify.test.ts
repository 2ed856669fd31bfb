import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prepareStateDir } from '../../../src/bridge/state-dir.ts';
import type { PlayContract } from '../../../src/cli/compose-contract.ts';
import { readVerified, recordVerified } from '../../../src/cli/verified-versions.ts';
import { contract } from '../../../src/verify/contract.ts';
import type { ScenarioResult } from '../../../src/verify/contract-play.ts';
import { tempDir } from '../../fakes/temp-dir.ts';
import { type CliFixture, cliFixture } from './fixture.ts';

/** A contract that breaks the scenarios of these names. */
const playing =
  (...broken: readonly string[]): PlayContract =>
  (_config, _stateDir, program, { onBegin, onEnd }) => {
    const results = contract.map((scenario, index): ScenarioResult => {
      onBegin?.(scenario, index);
      const { name, title, means } = scenario;
      const result: ScenarioResult = broken.includes(name)
        ? { name, title, status: 'broken', ms: 900, why: 'another text arrived', means }
        : { name, title, status: 'kept', ms: 900 };
      onEnd?.(result);
      return result;
    });
    return Promise.resolve({ version: program.version, results });
  };
const machine = { agentVersion: () => Promise.resolve({ version: '9.9.9' }) };
const configured = (playContract: PlayContract, over: object = {}): CliFixture => {
  const cli = cliFixture({ playContract, machine: { ...machine, ...over } });
  cli.configure('stateDir: state\nweb: { port: 4400 }\n');
  return cli;
};
const recorded = (cli: CliFixture) => readVerified(join(cli.dir, 'state'));

describe('afk-bridge doctor --verify (O1, Q4)', () => {
  it('a version that keeps the whole contract is recorded for this host, privately', async () => {
    const cli = configured(playing());
    expect(await cli.run('doctor', '--verify')).toBe(0);
    expect(recorded(cli)).toEqual({ '9.9.9': { at: expect.any(String), by: '1.2.3' } });
    expect(cli.out.at(-1)).toBe(
      `Claude Code 9.9.9 is verified on this host: all ${contract.length} scenarios kept`,
    );
    expect(cli.out).toContain(
      'kept       reply-short      a short reply arrives, with proof (0.9 s)',
    );
    expect(cli.err).toContain(`2/${contract.length} a short reply arrives, with proof …`);
    await cli.run('doctor');
    expect(cli.out.at(-2)).toMatch(/^ok +Claude Code +9\.9\.9, verified on this host/);
  });

  it('one broken scenario takes the record away, and says what it means', async () => {
    const cli = configured(playing('foreign-draft'));
    const stateDir = prepareStateDir(join(cli.dir, 'state')).path;
    recordVerified(stateDir, '9.9.9', { at: '2026-12-01T10:00:00.000Z', by: '1.2.3' });
    recordVerified(stateDir, '9.9.8', { at: '2026-12-01T10:00:00.000Z', by: '1.2.3' });
    expect(await cli.run('doctor', '--verify')).toBe(1);
    expect(Object.keys(recorded(cli))).toEqual(['9.9.8']);
    const text = cli.out.join('\n');
    expect(text).toMatch(/^broken +foreign-draft/m);
    expect(text).toMatch(/seen: another text arrived\n +that means: What somebody is typing/);
    expect(cli.err.at(-1)).toBe(
      `afk-bridge: ${contract.length - 1} of ${contract.length} scenarios kept: Claude Code 9.9.9 is not verified on this host`,
    );
  });

  it('prints one JSON document, with the progress beside it', async () => {
    const cli = configured(playing('cleared'));
    expect(await cli.run('doctor', '--verify', '--json')).toBe(1);
    const report = JSON.parse(cli.out.join('\n')) as { verification: { results: unknown[] } };
    expect(report.verification).toMatchObject({ version: '9.9.9', isVerified: false });
    expect(report.verification.results).toHaveLength(contract.length);
    expect(report.verification.results.at(-1)).toMatchObject({
      ...{ name: 'cleared', status: 'broken', why: 'another text arrived' },
      means: expect.any(String),
    });
    expect(cli.err.length).toBeGreaterThan(contract.length);
  });

  it('a signal stops it and nothing is written', async () => {
    const cli = configured(
      (_config, _stateDir, _program, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    );
    const done = cli.run('doctor', '--verify');
    await expect.poll(() => cli.err.join()).toContain('playing the contract');
    cli.signal();
    expect(await done).toBe(130);
    expect(cli.err.at(-1)).toBe('afk-bridge: stopped; nothing was recorded');
    expect(existsSync(join(cli.dir, 'state/verified.json'))).toBe(false);
  });

  it('without what it stands on nothing is played', async () => {
    const cli = configured(playing(), { tmuxVersion: () => Promise.resolve(undefined) });
    expect(await cli.run('doctor', '--verify')).toBe(5);
    expect(recorded(cli)).toEqual({});
  });
});

describe('the record of verified versions', () => {
  it('is what it says, and nothing where it cannot be read', () => {
    const dir = tempDir();
    expect(readVerified(dir)).toEqual({});
    recordVerified(dir, '1.0.0', { at: 'a', by: 'b' });
    expect(readVerified(dir)).toEqual({ '1.0.0': { at: 'a', by: 'b' } });
    expect(readFileSync(join(dir, 'verified.json'), 'utf8')).toContain('"claudeCode"');
  });
});
