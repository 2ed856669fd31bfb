import { createHash } from 'node:crypto';
import type { OutboundMessage } from '../model/chat.ts';
import type { BlockedCause, RunState, RunSummary } from '../model/run-state.ts';

const causes: { readonly [cause in BlockedCause]: string } = {
  trust: 'it asks whether it may trust this folder',
  'api-key': 'it asks whether to use the API key it found',
  login: 'it wants a login',
  'usage-limit': 'a usage limit is reached',
  survey: 'a survey is open',
  update: 'an update notice is open',
  'bypass-notice': 'it asks to accept the risk of running without permissions',
  'auto-mode-notice': 'it says that auto mode cannot check actions here',
  menu: 'a menu is open',
  'transcript-view': 'its transcript view is open',
  'unknown-screen': 'a screen is open that is not known here',
};

/** One short clause: what the run is doing (S1). */
export const stateText = (state: RunState): string => {
  switch (state.name) {
    case 'starting':
      return '🌱 starting';
    case 'idle':
      return '💤 idle';
    case 'working':
      return (state.background ?? 0) > 0
        ? `⚙️ working, ${state.background} in the background`
        : '⚙️ working';
    case 'needs-input':
      return '💬 needs input';
    case 'question-pending':
      return '❓ a question waits';
    case 'plan-pending':
      return '📋 a plan waits for approval';
    case 'approval-pending':
      return '🔐 an approval waits';
    case 'blocked':
      return `🚧 blocked: ${causes[state.cause]}`;
    case 'ended':
      return `⏹ ended (${state.how})`;
    case 'unreachable':
      return `🔌 unreachable: ${state.why}`;
  }
};

/** What is told in the thread once when it begins; the rest stands in the head. */
export const stateKey = (state: RunState): string => {
  if (state.name === 'blocked') return `blocked:${state.cause}`;
  return state.name === 'ended' ? `ended:${state.how}` : 'well';
};

const withRemedy = (what: string, remedy: string | undefined, command: string | undefined) =>
  command === undefined ? what : `${what} ${remedy}: \`${command}\``;

/** Message for a state that the thread is told of; undefined where the head says enough. */
export const stateNotice = (run: RunSummary): string | undefined => {
  const { state } = run;
  if (state.name === 'blocked')
    return withRemedy(
      `🚧 Blocked: ${causes[state.cause]}. Replies are held until that has passed.`,
      'On the host',
      run.attachCommand,
    );
  if (state.name === 'ended')
    return withRemedy(`⏹ The run has ended (${state.how}).`, 'To go on with it', run.resumeCommand);
  return undefined;
};

const minute = 60_000;

const durationText = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minute));
  const hours = Math.floor(minutes / 60);
  if (minutes < 60) return `${minutes} min`;
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
};

const timeText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The thread's first message (P5). `now` and `lastActivityAt` in ms since the epoch. */
export const presentHead = (
  run: RunSummary,
  link: string | undefined,
  now: number,
): OutboundMessage => ({
  type: 'head',
  title: run.title,
  lines: [
    stateText(run.state),
    `📁 ${run.cwd}${run.branch === undefined ? '' : ` · ⎇ ${run.branch}`}`,
    `⏱ ${durationText(now - run.startedAt)} old · last activity ${timeText(run.lastActivityAt)}`,
    ...(link === undefined ? [] : [`🔗 ${link}`]),
  ],
});

/** The head of a thread whose run went on in another one. */
export const presentLeftHead = (
  ...[run, link, now]: Parameters<typeof presentHead>
): OutboundMessage => {
  const head = presentHead(run, link, now);
  if (head.type !== 'head') return head;
  const [, ...rest] = head.lines;
  return { ...head, lines: ['➡️ gone on with another conversation, in its thread', ...rest] };
};

/** Changes when something changes that is worth an edit; age and activity alone are not. */
export const headDigest = (run: RunSummary, link: string | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([run.title, run.cwd, run.branch, stateText(run.state), link]))
    .digest('hex')
    .slice(0, 16);

const statePause = 15_000;
const agePause = 10 * minute;

/**
 * When the head may be edited next, ms since the epoch; undefined: it need not be. Sparing (P5): not
 * more often than each 15 s for what changed, each 10 min for age and activity; an end shows at once.
 */
export const headEditAt = (
  run: RunSummary,
  head: { readonly hasChanged: boolean; readonly editedAt: number },
  now: number,
): number | undefined => {
  if (head.hasChanged)
    return run.state.name === 'ended' ? now : Math.max(now, head.editedAt + statePause);
  const isStale = run.lastActivityAt > head.editedAt && now - head.editedAt >= agePause;
  return isStale ? now : undefined;
};
