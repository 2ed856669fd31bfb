import { dialogScenarios } from './contract-dialogs.ts';
import { replyScenarios } from './contract-replies.ts';
import type { Scenario } from './contract-steps.ts';
import { foundScenario, turnScenarios } from './contract-turns.ts';

/** Everything that the bridge depends on in an agent, in the order in which it is played. */
export const contract: readonly Scenario[] = [
  foundScenario,
  ...replyScenarios,
  ...dialogScenarios,
  ...turnScenarios,
];
