import type { Item } from '../model/conversation.ts';
import type { RunSummary } from '../model/run-state.ts';
import { cutGraphemes, oneLine } from '../text/plain.ts';
import { stateText } from './present-head.ts';

export const HELP = [
  'A reply in this thread goes to the agent as you wrote it. These words are for the bridge:',
  '- `!status` how it stands, `!tail` what it said last, `!notify` mention me (`!notify off` ends it)',
  '- drivers: `!answer TEXT` answers its question, `!interrupt` (or 🛑 on a message) asks, then stops this turn, `!continue` sends what was kept back since',
  '- owners: `!quiet`, `!normal`, `!full` how much is shown here; `!grant @name` and `!revoke @name` who may drive; `!ignore` stop showing this run here',
].join('\n');

const WAITING = (count: number): string =>
  count === 0 ? '' : `\n${count === 1 ? '1 reply waits' : `${count} replies wait`} for it.`;

/** `!status`: the state, where it runs, what waits. */
export const statusWords = (run: RunSummary, waiting: number): string => {
  const place = run.branch === undefined ? run.cwd : `${run.cwd} (${run.branch})`;
  const link = run.deepLink ?? (run.attachCommand && `\`${run.attachCommand}\``);
  const where = link === undefined ? '' : `\n${link}`;
  return `${stateText(run.state)}: ${oneLine(run.title, 200)}\n${place}${where}${WAITING(waiting)}`;
};

const TAIL = 1_500;

/** `!tail`: the agent's last text, and what it has done since. */
export const tailWords = (items: readonly Item[]): string => {
  const last = items.findLastIndex((item) => item.kind === 'text' && item.origin === 'agent');
  const said = items[last];
  const since = items
    .slice(last + 1)
    .flatMap((item) =>
      item.kind === 'tool' ? [`- ${item.name}: ${oneLine(item.summary, 100)}`] : [],
    )
    .slice(-5);
  const text = said?.kind === 'text' ? cutGraphemes(said.text, TAIL) : '';
  const words = [text, ...since].filter((line) => line !== '').join('\n');
  return words === '' ? 'The agent has said nothing yet.' : words;
};

/** The turn in a person's own words, so that it is known what would stop. */
const turnWords = (items: readonly Item[]): string => {
  const asked = items.findLast(
    (item) => item.kind === 'text' && item.role === 'user' && item.status === 'sent',
  );
  return asked?.kind === 'text' ? `“${oneLine(asked.text, 120)}”` : 'what it does now';
};

/** I1: what an interrupt would stop, before anything is pressed. */
export const interruptQuestion = (
  run: RunSummary,
  items: readonly Item[],
  withinMs: number,
): string =>
  [
    `Interrupt what? ${oneLine(run.title, 100)} works on ${turnWords(items)}.`,
    `The button stops this turn, not the run; it works for ${Math.round(withinMs / 1_000)} seconds.`,
    'Messages in the agent’s own queue are sent by it; replies kept back here wait for `!continue`.',
  ].join(' ');
