import { z } from 'zod';
import type { ChatEventBody } from '../../bridge/model/chat.ts';
import { type DialogId, id } from '../../bridge/model/ids.ts';
import { CONTROLS } from './encode-buttons.ts';
import { LIMITS } from './limits.ts';

/**
 * What stands in a button's value. Only this app can have written it, and the bridge asks again
 * whether the dialog is open and who may answer; words of a person never come this way.
 */
const bodySchema = z
  .looseObject({ type: z.string() })
  .refine(({ type }) => !['reply', 'edit', 'delete', 'reaction'].includes(type));

const clickSchema = z.looseObject({
  type: z.literal('block_actions'),
  user: z.looseObject({ id: z.string() }),
  container: z.looseObject({
    message_ts: z.string(),
    channel_id: z.string(),
    thread_ts: z.string().optional(),
  }),
  message: z.looseObject({ thread_ts: z.string().optional() }).optional(),
  trigger_id: z.string().optional(),
  state: z
    .looseObject({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .optional(),
  actions: z.array(
    z.looseObject({
      action_id: z.string(),
      value: z.string().optional(),
      action_ts: z.string().optional(),
    }),
  ),
});

const formSchema = z.looseObject({
  type: z.literal('view_submission'),
  user: z.looseObject({ id: z.string() }),
  view: z.looseObject({
    id: z.string(),
    callback_id: z.string().optional(),
    private_metadata: z.string().optional(),
    state: z
      .looseObject({ values: z.record(z.string(), z.record(z.string(), z.unknown())) })
      .optional(),
  }),
});

interface Place {
  readonly channel: string;
  readonly thread: string;
  readonly user: string;
}

/** What a person did with a control of ours. */
export type Interaction =
  | (Place & {
      readonly type: 'act';
      readonly key: string;
      readonly body: ChatEventBody;
      readonly at: number | undefined;
    })
  /** A modal is to be opened at once; the trigger is good for three seconds. */
  | (Place & { readonly type: 'ask-own-words'; readonly trigger: string; readonly dialog: string })
  /** Nothing was chosen or written: said to this person alone. */
  | (Place & {
      readonly type: 'incomplete';
      readonly text: string;
      /** Set: of a form, which stays open. */
      readonly field?: string;
    })
  | { readonly type: 'ignored' };

const IGNORED: Interaction = { type: 'ignored' };

export const OWN_WORDS_FORM = { callback: 'own-words', block: 'own', input: 'text' } as const;

const parsed = (text: string | undefined): unknown => {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
};

const dialogIn = (value: string | undefined): string | undefined =>
  z.object({ dialog: z.string() }).safeParse(parsed(value)).data?.dialog;

const chosenSchema = z.looseObject({
  selected_options: z.array(z.looseObject({ value: z.string() })),
});

const choicesIn = (click: z.output<typeof clickSchema>): readonly number[] => {
  const state = click.state?.values[CONTROLS.selectBlock]?.[CONTROLS.select];
  const chosen = chosenSchema.safeParse(state).data?.selected_options ?? [];
  return chosen
    .map(({ value }) => Number(value))
    .filter((n) => Number.isInteger(n) && n >= 0)
    .sort((a, b) => a - b);
};

const secondsToMs = (ts: string | undefined): number | undefined =>
  ts === undefined || !Number.isFinite(Number(ts)) ? undefined : Math.floor(Number(ts) * 1_000);

const readClick = (click: z.output<typeof clickSchema>): Interaction => {
  const [action] = click.actions;
  if (action === undefined) return IGNORED;
  const { container, message } = click;
  const thread = message?.thread_ts ?? container.thread_ts ?? container.message_ts;
  const user = click.user.id;
  const place: Place = { channel: container.channel_id, thread, user };
  const key = `click:${place.channel}:${container.message_ts}:${user}:${action.action_ts ?? ''}`;
  const at = secondsToMs(action.action_ts);
  const { action_id: name, value } = action;
  if (name === CONTROLS.ownWords) {
    const dialog = dialogIn(value);
    return dialog === undefined || click.trigger_id === undefined
      ? IGNORED
      : { ...place, type: 'ask-own-words', trigger: click.trigger_id, dialog };
  }
  if (name === CONTROLS.submit) {
    const dialog = dialogIn(value);
    const choices = choicesIn(click);
    if (dialog === undefined) return IGNORED;
    if (choices.length === 0)
      return { ...place, type: 'incomplete', text: 'Choose at least one, then press Submit.' };
    const answer = { type: 'choose', choices: [choices] } as const;
    const body: ChatEventBody = { type: 'answer', dialog: id<DialogId>(dialog), answer };
    return { ...place, type: 'act', key, body, at };
  }
  if (!name.startsWith(`${CONTROLS.act}:`)) return IGNORED;
  const body = bodySchema.safeParse(parsed(value)).data as ChatEventBody | undefined;
  return body === undefined ? IGNORED : { ...place, type: 'act', key, body, at };
};

const writtenSchema = z.looseObject({ value: z.string().nullish() });
const metadataSchema = z.object({ dialog: z.string(), channel: z.string(), thread: z.string() });

const readForm = (form: z.output<typeof formSchema>): Interaction => {
  const { view, user } = form;
  if (view.callback_id !== OWN_WORDS_FORM.callback) return IGNORED;
  const about = metadataSchema.safeParse(parsed(view.private_metadata)).data;
  const state = view.state?.values[OWN_WORDS_FORM.block]?.[OWN_WORDS_FORM.input];
  const text = writtenSchema.safeParse(state).data?.value ?? '';
  if (about === undefined) return IGNORED;
  const place: Place = { channel: about.channel, thread: about.thread, user: user.id };
  if (text.trim() === '') {
    const field = OWN_WORDS_FORM.block;
    return { ...place, type: 'incomplete', text: 'Write your answer.', field };
  }
  const answer = { type: 'own-words', text } as const;
  const body: ChatEventBody = { type: 'answer', dialog: id<DialogId>(about.dialog), answer };
  return { ...place, type: 'act', key: `form:${view.id}`, body, at: undefined };
};

/** One interactive payload. */
export const readInteraction = (payload: unknown): Interaction => {
  const click = clickSchema.safeParse(payload).data;
  if (click !== undefined) return readClick(click);
  const form = formSchema.safeParse(payload).data;
  return form === undefined ? IGNORED : readForm(form);
};

/** The modal for an answer in a person's own words. */
export const ownWordsView = (
  about: z.input<typeof metadataSchema>,
): Readonly<Record<string, unknown>> => ({
  type: 'modal',
  callback_id: OWN_WORDS_FORM.callback,
  private_metadata: JSON.stringify(about).slice(0, LIMITS.privateMetadata),
  title: { type: 'plain_text', text: 'Your own words' },
  submit: { type: 'plain_text', text: 'Answer' },
  close: { type: 'plain_text', text: 'Cancel' },
  blocks: [
    {
      type: 'input',
      block_id: OWN_WORDS_FORM.block,
      label: { type: 'plain_text', text: 'Answer to the agent’s question' },
      element: {
        type: 'plain_text_input',
        action_id: OWN_WORDS_FORM.input,
        multiline: true,
        max_length: LIMITS.ownWords,
      },
    },
  ],
});
