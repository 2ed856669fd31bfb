import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/bridge/system-clock.ts';
import { contract } from '../../src/verify/contract.ts';
import { playContract, type ScenarioResult } from '../../src/verify/contract-play.ts';
import { contractProvider } from '../fakes/contract-provider.ts';
import { type Wrong, withOver, wrongDrivers } from '../fakes/wrong-drivers.ts';
import { scriptedContractStage } from './scripted-contract-stage.ts';

/** Plays one scenario; on a right agent with a right driver each is kept (contract.test.ts). */
const played = async (
  name: string,
  what: { readonly agent?: string; readonly driver?: Wrong },
): Promise<ScenarioResult | undefined> => {
  const agents = new URL('../fakes/wrong-agents/', import.meta.url);
  const stage = scriptedContractStage(
    what.agent === undefined ? {} : { preload: fileURLToPath(new URL(`${what.agent}.ts`, agents)) },
  );
  const { provider, close } = contractProvider(stage);
  try {
    const report = await playContract({
      stage,
      provider: what.driver === undefined ? provider : withOver(provider, what.driver(provider)),
      clock: systemClock,
      signal: new AbortController().signal,
      scenarios: contract.filter((scenario) => scenario.name === name),
      withinMs: 6_000,
    });
    return report.results[0];
  } finally {
    await close();
    await stage.stop();
  }
};

// Mostly waiting: several at a time.
describe.concurrent('a wrong agent breaks the contract', () => {
  it.each([
    ['swallows-enter', 'reply-short', /ended as (returned|unknown) instead of confirmed/],
    ['records-other-words', 'reply-short', /ended as unknown instead of confirmed/],
    ['hears-other-words', 'reply-short', /to get "hello there"; it got "hello, there"/],
    ['hears-twice', 'reply-short', /to get "hello there"; it got "hello there" and "hello there"/],
    ['takes-next-option', 'answer-choice', /another answer than the one that was chosen: “Blue”/],
    ['forgets-unsent', 'un-sent', /does not show "#hang"/],
  ])('D2, Q4: one that %s breaks %s', async (agent, scenario, why) => {
    const result = await played(scenario, { agent });
    expect(result).toMatchObject({ status: 'broken', why: expect.stringMatching(why) });
  });
});

describe.concurrent('a wrong driver breaks the contract', () => {
  it.each([
    ['typesNothing', 'reply-short', /no proof of it is named/],
    ['needsNoProof', 'reply-short', /no proof of it is named/],
    ['needsNoProof', 'question-holds', /no proof of it is named/],
    ['namesAnyProof', 'reply-lines', /the row that is named as proof holds/],
    ['holdsNothing', 'foreign-draft', /"patient" stands on the screen/],
    ['holdsNothing', 'question-holds', /the dialog (was answered|is gone)/],
    ['holdsNothing', 'approval-holds', /the dialog (was answered|is gone)/],
    ['clearsDrafts', 'foreign-draft', /ended as confirmed instead of held:foreign-draft/],
    ['answersAnyDialog', 'another-dialog', /ended as confirmed instead of refused/],
    ['stopsNothing', 'interrupt', /the agent was not stopped/],
    ['stopsAnything', 'interrupt', /ended as confirmed instead of refused:already-finished/],
    ['neverLooksBack', 'un-sent', /ended as confirmed instead of returned/],
    ['staysBehind', 'cleared', /the new session was not followed/],
    ['leavesNoMode', 'copy-mode', /ended as refused:unreachable instead of confirmed/],
  ] as const)('D2, D5, Q4, I2: one that %s breaks %s', async (driver, scenario, why) => {
    const result = await played(scenario, { driver: wrongDrivers[driver] });
    expect(result).toMatchObject({ status: 'broken', why: expect.stringMatching(why) });
  });
});
