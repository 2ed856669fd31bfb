import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { contract } from '../../src/verify/contract.ts';
import { type ContractReport, playContract } from '../../src/verify/contract-play.ts';
import { contractProvider, mustBeKept } from '../fakes/contract-provider.ts';
import { scriptedContractStage } from './scripted-contract-stage.ts';

describe('S01 S29 the contract on the scripted TUI', () => {
  const stage = scriptedContractStage();
  const { provider, close } = contractProvider(stage);
  let report: ContractReport;

  beforeAll(async () => {
    report = await playContract({
      ...{ stage, provider, clock: systemClock, scenarios: contract },
      signal: new AbortController().signal,
    });
  });
  afterAll(async () => {
    await close();
    await stage.stop();
  });

  it.each(contract.map(({ name, title }) => [name, title]))('D2, Q4, I2: %s: %s', (name) =>
    mustBeKept(report, name),
  );

  it('names the version that was played', () => expect(report.version).toBe('2.1.332'));
});
