import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/bridge/system-clock.ts';
import type { AgentStage } from '../../src/verify/agent-stage.ts';
import { contract } from '../../src/verify/contract.ts';
import { type ContractReport, playContract } from '../../src/verify/contract-play.ts';
import { openRealStage } from '../../src/verify/real-stage.ts';
import { contractProvider, mustBeKept } from '../fakes/contract-provider.ts';
import { findLiveProgram } from './program.ts';

const program = await findLiveProgram();

describe.skipIf(program.isMissing)(`the contract ${program.title}`, () => {
  let stage: AgentStage;
  let report: ContractReport;

  beforeAll(async () => {
    stage = await openRealStage(program);
    const { provider, close } = contractProvider(stage);
    report = await playContract({
      ...{ stage, provider, clock: systemClock, scenarios: contract },
      signal: new AbortController().signal,
    });
    await close();
  });
  afterAll(() => stage?.stop());

  it.each(contract.map(({ name, title }) => [name, title]))('D2, Q4, I2: %s: %s', (name) =>
    mustBeKept(report, name),
  );

  it('names the version that was played', () => expect(report.version).toBe(program.version));
});
