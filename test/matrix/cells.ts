import type { Expected } from './expected.ts';
import type { State } from './state.ts';
import { IDLE, PLAIN_STATES, streaming } from './states.ts';
import { GONE_STATES } from './states-gone.ts';
import { RACE_STATES } from './states-race.ts';
import { type MatrixText, PLAIN_TEXT, TEXTS } from './texts.ts';

/** One text in one state. */
export interface Cell {
  /** `state: text`; the key of the results. */
  readonly name: string;
  readonly state: State;
  readonly text: MatrixText;
  readonly expected: Expected;
}

const cellOf = (state: State, text: MatrixText): Cell => ({
  name: `${state.name}: ${text.name}`,
  state,
  text,
  expected: expectedOf(state, text),
});

const expectedOf = (state: State, text: MatrixText): Expected => {
  if (text.refused !== undefined) return { is: 'refused', why: [text.refused] };
  const isQueued = state.expected.is === 'queued';
  return isQueued && text.isForIdle === true ? { is: 'held', why: 'working' } : state.expected;
};

/** Each text on an idle and on a streaming agent; each state with the plain text. */
export const CELLS: readonly Cell[] = [
  ...TEXTS.map((text) => cellOf(IDLE, text)),
  ...TEXTS.map((text) => cellOf(streaming(text), text)),
  ...[...PLAIN_STATES, ...GONE_STATES, ...RACE_STATES].map((state) => cellOf(state, PLAIN_TEXT)),
];

/** Cells with the same key can share an agent. */
export const agentKeyOf = ({ state }: Cell): string => {
  const { profile = 'plain', start = {} } = state;
  const isOwn = state.prepare !== undefined || state.isLasting === true;
  return `${profile} ${JSON.stringify(start)} ${isOwn ? state.name : ''}`;
};
