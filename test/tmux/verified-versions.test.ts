import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { forgetVerified, recordVerified } from '../../src/cli/verified-versions.ts';
import { contract } from '../../src/verify/contract.ts';
import { playContract } from '../../src/verify/contract-play.ts';
import { contractProvider } from '../fakes/contract-provider.ts';
import { tempDir } from '../fakes/temp-dir.ts';
import { scriptedContractStage } from './scripted-contract-stage.ts';

const version = '9.9.9';

it('Q4: a version that the table does not know is answered by keys while it is recorded as verified here', async () => {
  const stage = scriptedContractStage({ version });
  const stateDir = join(tempDir(), 'state');
  mkdirSync(stateDir);
  const { provider, close } = contractProvider(stage, stateDir);
  onTestFinished(async () => {
    await close();
    await stage.stop();
  });
  const answered = async () => {
    const report = await playContract({
      ...{ stage, provider, clock: systemClock, withinMs: 5_000 },
      signal: new AbortController().signal,
      scenarios: contract.filter(({ name }) => name === 'answer-choice'),
    });
    expect(report.version).toBe(version);
    return report.results[0];
  };
  const unverified = {
    status: 'broken',
    why: expect.stringContaining('no question was seen that keys can answer'),
  };
  expect(await answered()).toMatchObject(unverified);
  // A bridge that runs asks each time: nobody has to start it again.
  recordVerified(stateDir, version, { at: new Date().toISOString(), by: 'test' });
  expect(await answered()).toMatchObject({ status: 'kept' });
  forgetVerified(stateDir, version);
  expect(await answered()).toMatchObject(unverified);
});
