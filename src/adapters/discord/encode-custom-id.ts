import type { ChatEventBody } from '../../bridge/model/chat.ts';
import type { DialogAnswer } from '../../bridge/model/delivery.ts';
import { type DeliveryId, type DialogId, id, type TurnId } from '../../bridge/model/ids.ts';
import { limits } from './limits.ts';

/** What a click means. It all stands in the custom id: nothing has to be remembered over a restart. */
export type Clicked =
  /** Something is done. */
  | { readonly type: 'act'; readonly body: ChatEventBody }
  /** A modal asks for own words. */
  | { readonly type: 'ask-words'; readonly dialog: DialogId }
  /** Several are chosen; nothing is done before Submit. */
  | { readonly type: 'select'; readonly dialog: DialogId }
  | { readonly type: 'submit'; readonly dialog: DialogId }
  /** The button of a head: like saying `!interrupt`. */
  | { readonly type: 'ask-interrupt' };

const choicesText = (choices: readonly (readonly number[])[]): string =>
  choices.map((numbers) => numbers.join(',')).join('.');

const answerText = (answer: DialogAnswer): string | undefined => {
  switch (answer.type) {
    case 'approve':
      return `y${answer.mode === undefined ? '' : 'e'}${answer.standing ?? ''}`;
    case 'deny':
      return answer.feedback === undefined ? 'n' : undefined;
    case 'choose':
      return `c${choicesText(answer.choices)}`;
    case 'own-words':
      return undefined;
  }
};

const answerOf = (text: string): DialogAnswer | undefined => {
  const approved = /^y(e?)(\d*)$/.exec(text);
  if (approved !== null) {
    const [, edits, standing] = approved;
    return {
      type: 'approve',
      ...(edits === 'e' && { mode: 'acceptEdits' as const }),
      ...(standing !== '' && { standing: Number(standing) }),
    };
  }
  if (text === 'n') return { type: 'deny' };
  if (!/^c[\d,.]*$/.test(text)) return undefined;
  const choices = text
    .slice(1)
    .split('.')
    .map((numbers) => numbers.split(',').flatMap((n) => (n === '' ? [] : [Number(n)])));
  return { type: 'choose', choices };
};

const bodyText = (body: ChatEventBody): string | undefined => {
  switch (body.type) {
    case 'answer': {
      const answer = answerText(body.answer);
      return answer === undefined ? undefined : `a|${answer}|${body.dialog}`;
    }
    case 'interrupt':
      return `i|${body.turn ?? ''}|${body.askedAt ?? ''}`;
    case 'continue':
      return 'c';
    case 'send-again':
      return `g|${body.delivery}`;
    case 'discard':
      return `d|${body.delivery}`;
    case 'use-as-answer':
      return `u|${body.delivery}|${body.dialog}`;
    default:
      return undefined;
  }
};

/** Undefined: it has no room there; then there is no such button. */
export const customIdOf = (clicked: Clicked): string | undefined => {
  const text = (): string | undefined => {
    switch (clicked.type) {
      case 'act':
        return bodyText(clicked.body);
      case 'ask-words':
        return `w|${clicked.dialog}`;
      case 'select':
        return `s|${clicked.dialog}`;
      case 'submit':
        return `m|${clicked.dialog}`;
      case 'ask-interrupt':
        return 'h|';
    }
  };
  const made = text();
  return made === undefined || made.length > limits.customId ? undefined : made;
};

/** The button under a head also says which post it is: Discord keeps no other mark of ours. */
export const headIdOf = (key: string): string => `h|${key}`;

/** What a custom id of ours means; undefined: not ours, or of a version that is not known here. */
export const clickedOf = (customId: string): Clicked | undefined => {
  const [kind = '', ...rest] = customId.split('|');
  const [first = ''] = rest;
  const all = rest.join('|');
  const dialogAfter = (): DialogId => id<DialogId>(rest.slice(1).join('|'));
  const act = (body: ChatEventBody): Clicked => ({ type: 'act', body });
  switch (kind) {
    case 'a': {
      const answer = answerOf(first);
      return answer === undefined
        ? undefined
        : act({ type: 'answer', dialog: dialogAfter(), answer });
    }
    case 'i':
      return act({
        type: 'interrupt',
        turn: first === '' ? undefined : id<TurnId>(first),
        ...(/^\d+$/.test(rest[1] ?? '') && { askedAt: Number(rest[1]) }),
      });
    case 'c':
      return act({ type: 'continue' });
    case 'g':
      return act({ type: 'send-again', delivery: id<DeliveryId>(first) });
    case 'd':
      return act({ type: 'discard', delivery: id<DeliveryId>(first) });
    case 'u':
      return act({
        type: 'use-as-answer',
        delivery: id<DeliveryId>(first),
        dialog: dialogAfter(),
      });
    case 'w':
      return { type: 'ask-words', dialog: id<DialogId>(all) };
    case 's':
      return { type: 'select', dialog: id<DialogId>(all) };
    case 'm':
      return { type: 'submit', dialog: id<DialogId>(all) };
    case 'h':
      return { type: 'ask-interrupt' };
    default:
      return undefined;
  }
};
