import type { Item } from '../../src/bridge/model/conversation.ts';
import type { HostEvent, SessionOrigin } from '../../src/bridge/model/events.ts';
import { id, type RunId, type SessionId } from '../../src/bridge/model/ids.ts';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';
import { dialog, lifecycle, runSummary, said, text, tool } from '../unit/bridge/chat/items.ts';

/** Each item carries a mark `<n>`; in the end a thread has each of its marks once. */
const mark = (run: string, n: number): string => `<${run}.${n}>`;

interface Told {
  readonly run: RunSummary;
  readonly items: readonly Item[];
  readonly session: string;
  readonly origin: SessionOrigin;
}

const toEvent = (told: Told): HostEvent => ({
  type: 'items',
  run: told.run,
  session: id<SessionId>(told.session),
  origin: told.origin,
  cursor: '',
  items: told.items,
});

/** One run: a turn, calls with late results, a question, /clear, a burst that is too much at once. */
const runStory = (name: string, burst: number): readonly HostEvent[] => {
  const first = `${name}-s1`;
  const second = `${name}-s2`;
  const run = (session: string, state: RunSummary['state'] = { name: 'working' }) =>
    runSummary({
      id: id<RunId>(name),
      session: id<SessionId>(session),
      state,
      startedAt: 0,
      title: name,
    });
  const one = { session: first };
  const two = { session: second };
  const long = `${mark(name, 4)}\n${'a line of a long answer\n'.repeat(150)}`;
  const asked = (status: 'open' | 'answered') =>
    dialog(`${name}-d`, 6, {
      ...one,
      status,
      content: { type: 'plan', plan: mark(name, 6) },
    });
  const call = (n: number, at: number, status: 'running' | 'done') =>
    tool(`${name}-i${n}`, at, { ...one, status, summary: mark(name, n) });
  return [
    { type: 'run', run: run(first) },
    toEvent({
      run: run(first),
      ...one,
      origin: 'new',
      items: [said(`${name}-i1`, 1, mark(name, 1), one)],
    }),
    toEvent({ run: run(first), ...one, origin: 'same', items: [call(2, 2, 'running')] }),
    toEvent({
      run: run(first),
      ...one,
      origin: 'same',
      items: [call(2, 2, 'done'), call(3, 3, 'running')],
    }),
    toEvent({
      run: run(first),
      ...one,
      origin: 'same',
      items: [
        call(3, 3, 'done'),
        text(`${name}-i4`, 4, long, one),
        call(5, 5, 'done'),
        asked('open'),
      ],
    }),
    toEvent({ run: run(first), ...one, origin: 'same', items: [asked('answered')] }),
    { type: 'dialog', run: run(first), pending: null },
    toEvent({
      run: run(second),
      ...two,
      origin: 'cleared',
      items: [lifecycle(`${name}-l`, 1, { ...two, event: 'notice', text: mark(name, 7) })],
    }),
    ...Array.from({ length: burst }, (_, n) =>
      toEvent({
        run: run(second),
        ...two,
        origin: 'same',
        items: [
          text(`${name}-i${8 + 2 * n}`, 10 + 2 * n, mark(name, 8 + 2 * n), two),
          text(`${name}-i${9 + 2 * n}`, 11 + 2 * n, mark(name, 9 + 2 * n), two),
        ],
      }),
    ),
    { type: 'run', run: run(second, { name: 'ended', how: 'exited' }) },
  ];
};

/** Events of two runs, one after the other in turns. */
export const postingStory = (burst: number): readonly HostEvent[] => {
  const [a, b] = [runStory('ra', burst), runStory('rb', 2)];
  return a.flatMap((event, n) => {
    const other = b[n];
    return other === undefined ? [event] : [event, other];
  });
};

/** The marks that a run's thread has in the end, in order; its plan may come a little early. */
export const expectedMarks = (name: string, burst: number): readonly string[] =>
  Array.from({ length: 7 + 2 * burst }, (_, n) => mark(name, n + 1));

export const planMark = (name: string): string => mark(name, 6);
