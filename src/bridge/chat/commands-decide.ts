import type { ChatEvent, NoticeButton, Role } from '../model/chat.ts';
import { type Item, isSingleQuestion } from '../model/conversation.ts';
import type { RefusalReason } from '../model/delivery.ts';
import { type ActorId, type DialogId, id, type RunId } from '../model/ids.ts';
import type { PendingDialog, RunSummary } from '../model/run-state.ts';
import type { ThreadChange } from '../ports/thread-settings.ts';
import type { CommandName } from './commands-parse.ts';
import { HELP, interruptQuestion, statusWords, tailWords } from './commands-words.ts';
import { isNobody, mayDrive, mayOwn } from './policy.ts';
import { stateText } from './present-head.ts';

/** What a command may know of the run. */
export interface CommandContext {
  readonly role: Role | undefined;
  readonly whomToAsk: string;
  readonly run: RunId | undefined;
  /** Asked of the host just now; absent: it did not answer in time, or knows no such run. */
  readonly summary?: RunSummary | undefined;
  /** The newest items of the conversation, for `!tail` and to name the turn. */
  readonly recent?: readonly Item[] | undefined;
  readonly waiting: number;
  readonly confirmWithinMs: number;
}

/** What a command comes to; an answer goes on as a delivery like any other. */
export type Commanded =
  | {
      readonly type: 'say';
      readonly what: string;
      readonly text: string;
      readonly buttons: readonly NoticeButton[];
    }
  | {
      readonly type: 'change';
      readonly what: string;
      readonly change: ThreadChange;
      readonly text: string;
    }
  | { readonly type: 'continue'; readonly run: RunId }
  | { readonly type: 'answer'; readonly dialog: DialogId; readonly text: string }
  | { readonly type: 'refuse'; readonly reason: RefusalReason };

const refuse = (why: RefusalReason['why'], detail: string): Commanded => ({
  type: 'refuse',
  reason: { why, detail },
});

const say = (what: string, text: string, buttons: readonly NoticeButton[] = []): Commanded => ({
  type: 'say',
  what,
  text,
  buttons,
});

const READING: ReadonlySet<CommandName> = new Set(['help', 'status', 'tail', 'notify']);
const DRIVING: ReadonlySet<CommandName> = new Set(['answer', 'interrupt', 'continue', 'cmd']);

const objection = (
  name: CommandName,
  event: ChatEvent,
  { role, whomToAsk }: CommandContext,
): string | undefined => {
  if (READING.has(name)) {
    return role === undefined && isNobody(event.actor)
      ? `This is for members of this workspace only. Ask ${whomToAsk}.`
      : undefined;
  }
  if (DRIVING.has(name)) {
    return mayDrive(role) ? undefined : `You can read along here, but not drive. Ask ${whomToAsk}.`;
  }
  return mayOwn(role) ? undefined : `Only an owner may use \`!${name}\`. Ask ${whomToAsk}.`;
};

/** Whether words of a person can be the answer of this dialog. */
export const takesWords = (pending: PendingDialog): boolean =>
  pending.content.type === 'question' &&
  (pending.hook !== undefined || (pending.isAnswerable && isSingleQuestion(pending.content)));

const GONE = 'The run cannot be asked right now. Try again in a moment.';

/** I1: asks first; nothing is pressed before a driver confirms it. */
export const askInterrupt = (now: number, ctx: CommandContext): Commanded => {
  const { summary, recent = [], confirmWithinMs } = ctx;
  if (summary === undefined) return refuse('unreachable', GONE);
  const { state } = summary;
  if (state.name !== 'working')
    return say('interrupt', `Nothing to interrupt: ${stateText(state)}.`);
  return say('ask to interrupt', interruptQuestion(summary, recent, confirmWithinMs), [
    { label: 'Interrupt', action: { type: 'interrupt', turn: state.turn, askedAt: now } },
  ]);
};

/** Free text straight to the open dialog: `!answer`, or a direct reply to its message (D6). */
export const answerNow = (
  text: string,
  pending: PendingDialog | undefined,
  shown: DialogId | undefined,
): Commanded => {
  if (text === '') return refuse('not-sendable', 'Write the answer behind it: `!answer TEXT`.');
  if (pending === undefined)
    return refuse('not-that-dialog', 'No question is open right now. A reply goes to the agent.');
  if (shown !== undefined && shown !== pending.id)
    return refuse('not-that-dialog', 'That question is no longer open.');
  if (!takesWords(pending))
    return refuse('not-sendable', 'This one takes no own words. Use its buttons or its link.');
  return { type: 'answer', dialog: pending.id, text };
};

const ROLES: Readonly<Record<string, Role>> = {
  observer: 'observer',
  driver: 'driver',
  owner: 'owner',
};

/** The person that `!grant` names: a mention, an id as `access` has it, or the platform's bare id. */
const namedIn = (event: ChatEvent, word: string | undefined): ActorId | undefined => {
  const mentions = event.body.type === 'reply' ? (event.body.mentions ?? []) : [];
  if (mentions.length > 0) return mentions.length === 1 ? mentions[0] : undefined;
  if (word === undefined) return undefined;
  const home = event.actor.id.slice(0, event.actor.id.lastIndexOf(':') + 1);
  if (/^(?:[UW][A-Z0-9]{4,20}|\d{15,22})$/.test(word)) return id<ActorId>(`${home}${word}`);
  return undefined;
};

const grant = (name: 'grant' | 'revoke', argument: string, event: ChatEvent): Commanded => {
  const words = argument.split(/\s+/);
  const last = words.at(-1)?.toLowerCase() ?? '';
  const actor = namedIn(event, words[0]);
  if (actor === undefined) {
    return refuse('not-sendable', `Name one person: \`!${name} @name\`, or their id.`);
  }
  if (name === 'revoke') {
    const change = { type: 'grant', actor, role: undefined } as const;
    const text = 'Done: what was granted to them here is taken back, and what they had waiting.';
    return { type: 'change', what: `revoke ${actor}`, change, text };
  }
  const role = ROLES[last] ?? 'driver';
  const may = { observer: 'read', driver: 'drive', owner: 'drive and grant' }[role];
  return {
    type: 'change',
    what: `grant ${role} ${actor}`,
    change: { type: 'grant', actor, role },
    text: `Done: they may ${may} in this thread. \`!revoke\` takes it back.`,
  };
};

const notify = (argument: string, actor: ActorId): Commanded => {
  const isOn = argument.toLowerCase() !== 'off';
  if (isOn && argument !== '') return refuse('not-sendable', 'Write `!notify` or `!notify off`.');
  return {
    type: 'change',
    what: isOn ? 'notify' : 'notify off',
    change: { type: 'notify', actor, isOn },
    text: isOn
      ? 'You are mentioned here on a question, an approval, a limit and the end. `!notify off` ends it.'
      : 'You are no longer mentioned here.',
  };
};

const SHOWS = {
  quiet: 'From now on: what people say, the last word of each turn, questions and endings.',
  normal: 'From now on: texts, and one line for each tool call.',
  full: 'From now on: everything, with inputs, outputs and thinking.',
} as const;

/** One command of a person who may read. Pure. */
export const decideCommand = (
  name: CommandName,
  argument: string,
  event: ChatEvent,
  ctx: CommandContext & { readonly now: number },
): Commanded => {
  const denied = objection(name, event, ctx);
  if (denied !== undefined) return refuse('no-right', denied);
  const { run, summary } = ctx;
  switch (name) {
    case 'help':
      return say('help', HELP);
    case 'status':
      return summary === undefined
        ? say('status', GONE)
        : say('status', statusWords(summary, ctx.waiting));
    case 'tail':
      return ctx.recent === undefined ? say('tail', GONE) : say('tail', tailWords(ctx.recent));
    case 'notify':
      return notify(argument, event.actor.id);
    case 'answer':
      return answerNow(argument, summary?.pendingDialog, undefined);
    case 'interrupt':
      return askInterrupt(ctx.now, ctx);
    case 'continue':
      return run === undefined ? refuse('ended', '') : { type: 'continue', run };
    case 'cmd':
      return refuse(
        'not-sendable',
        'Commands of the agent cannot be sent from a thread in this version; use its terminal.',
      );
    case 'quiet':
    case 'normal':
    case 'full': {
      const change = { type: 'verbosity', verbosity: name } as const;
      return { type: 'change', what: name, change, text: SHOWS[name] };
    }
    case 'grant':
    case 'revoke':
      return grant(name, argument, event);
    case 'ignore':
      return {
        type: 'change',
        what: 'ignore',
        change: { type: 'ignore' },
        text: 'This run is no longer shown here, and replies here no longer reach it. `!normal` by an owner brings it back.',
      };
  }
};
