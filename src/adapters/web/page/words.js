/**
 * @typedef {import('../../../bridge/model/run-state.ts').RunState} RunState
 * @typedef {import('./api.js').RunView} RunView
 */

/** @type {Readonly<Record<string, string>>} */
const BLOCKED = {
  trust: 'Asks to trust the folder',
  'api-key': 'Asks about an API key',
  login: 'Needs a login',
  'usage-limit': 'Usage limit reached',
  survey: 'A survey is open',
  update: 'An update notice is open',
  'bypass-notice': 'Asks to confirm bypass mode',
  'auto-mode-notice': 'Auto mode cannot check actions',
  menu: 'A menu is open',
  'transcript-view': 'Transcript view is open',
  'unknown-screen': 'Unknown screen',
};

/**
 * What a state is called, how it looks and how much it wants a person.
 * @param {RunState} state
 * @returns {{ label: string, tone: 'ask' | 'stop' | 'work' | 'ready' | 'calm' | 'gone', rank: number }}
 */
export const stateWords = (state) => {
  switch (state.name) {
    case 'question-pending':
      return { label: 'Asks a question', tone: 'ask', rank: 0 };
    case 'plan-pending':
      return { label: 'Plan to approve', tone: 'ask', rank: 0 };
    case 'approval-pending':
      return { label: 'Needs approval', tone: 'ask', rank: 0 };
    case 'blocked':
      return { label: BLOCKED[state.cause] ?? 'Blocked', tone: 'stop', rank: 1 };
    case 'needs-input':
      return { label: 'Your turn', tone: 'ready', rank: 2 };
    case 'working':
      return {
        label: state.background ? `Working · ${state.background} in background` : 'Working',
        tone: 'work',
        rank: 3,
      };
    case 'starting':
      return { label: 'Starting', tone: 'work', rank: 3 };
    case 'idle':
      return { label: 'Idle', tone: 'calm', rank: 4 };
    case 'unreachable':
      return { label: 'Unreachable', tone: 'stop', rank: 5 };
    case 'ended':
      return {
        label: { exited: 'Ended', killed: 'Killed', lost: 'Lost' }[state.how],
        tone: 'gone',
        rank: 6,
      };
  }
};

/** @type {readonly { title: string, ranks: readonly number[] }[]} */
const GROUPS = [
  { title: 'Waiting for you', ranks: [0, 1, 2] },
  { title: 'Working', ranks: [3] },
  { title: 'Idle', ranks: [4, 5] },
  { title: 'Ended', ranks: [6] },
];

/**
 * Runs in groups: who waits for a person first, the most recent first among equals.
 * @param {readonly RunView[]} runs
 */
export const groupRuns = (runs) =>
  GROUPS.map(({ title, ranks }) => ({
    title,
    runs: runs
      .filter((run) => ranks.includes(stateWords(run.state).rank))
      .sort(
        (a, b) =>
          stateWords(a.state).rank - stateWords(b.state).rank ||
          b.lastActivityAt - a.lastActivityAt,
      ),
  })).filter((group) => group.runs.length > 0);

/**
 * @param {RunView} run
 * @returns {string} what a reply would be now, before it is sent (S1)
 */
export const replyHint = (run) => {
  const { state } = run;
  switch (state.name) {
    case 'question-pending':
      return 'The agent is asking. Answer it first; a reply waits here until then.';
    case 'plan-pending':
    case 'approval-pending':
      return 'The agent waits for a decision. A reply waits here until it is made.';
    case 'blocked':
      return `${BLOCKED[state.cause] ?? 'Blocked'} at the terminal. A reply waits here until that is gone.`;
    case 'starting':
      return 'The agent is starting. A reply goes as soon as it is ready.';
    case 'working':
      return 'The agent is working. A reply goes into its queue; it reads it at its next step.';
    case 'ended':
      return 'This run has ended; it takes no replies.';
    case 'unreachable':
      return `This run cannot be reached: ${state.why}`;
    case 'idle':
    case 'needs-input':
      return 'A reply goes to the agent now.';
  }
};

/**
 * @param {number} at ms since the epoch
 * @param {number} now
 */
export const age = (at, now) => {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 45) return 'now';
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 36) return `${hours} h`;
  return `${Math.round(hours / 24)} d`;
};

/** @param {string} path */
export const shortPath = (path) => {
  const home = path.replace(/^\/(home|Users)\/[^/]+/, '~');
  const parts = home.split('/');
  return parts.length <= 4 ? home : `…/${parts.slice(-2).join('/')}`;
};

/**
 * The first words of a text, on one line.
 * @param {string} text
 * @param {number} most
 */
export const firstWords = (text, most) => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most).replace(/\s\S*$/, '')}…`;
};
