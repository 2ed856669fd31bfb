import type { DialogContent } from '../bridge/model/conversation.ts';
import { type RunState, replyIs } from '../bridge/model/run-state.ts';

/** A state in words, with what explains it. */
export const stateWords = (state: RunState): string => {
  switch (state.name) {
    case 'blocked':
      return `blocked (${state.cause.replaceAll('-', ' ')})`;
    case 'ended':
      return `ended (${state.how})`;
    case 'unreachable':
      return `unreachable (${state.why})`;
    case 'working':
      return state.background === undefined || state.background === 0
        ? 'working'
        : `working (${state.background} in the background)`;
    default:
      return state.name.replaceAll('-', ' ');
  }
};

/** What would become of a reply now (S1). */
export const replyWords = (state: RunState): string =>
  ({
    delivered: 'would be delivered',
    queued: 'would go into the agent’s own queue',
    held: 'would be held until that is over',
    refused: 'would be refused',
  })[replyIs(state)];

/** What a dialog asks, as lines. */
export const dialogLines = (content: DialogContent): readonly string[] => {
  switch (content.type) {
    case 'question':
      return content.questions.flatMap(({ header, question, options }) => [
        `${header}: ${question}`,
        ...options.map(
          ({ label, description }, i) =>
            `  ${i + 1}. ${label}${description === undefined ? '' : ` – ${description}`}`,
        ),
      ]);
    case 'plan':
      return ['plan:', ...content.plan.split('\n')];
    case 'approval':
      return [`${content.tool}: ${content.summary}`];
    case 'unknown':
      return [`${content.tool}: ${content.input}`];
  }
};
