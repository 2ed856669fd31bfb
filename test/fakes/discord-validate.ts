import { DiscordFault, type FakeComponent, type FakeModal, type FakeRow } from './discord-model.ts';

export interface MessageBody {
  readonly content?: string | null;
  readonly embeds?: readonly Embed[];
  readonly components?: readonly FakeRow[];
  readonly flags?: number;
  readonly nonce?: string | number;
  readonly enforce_nonce?: boolean;
  readonly allowed_mentions?: AllowedMentions;
  readonly message_reference?: { readonly message_id: string };
  readonly attachments?: readonly { readonly id: string; readonly filename?: string }[];
}
export interface AllowedMentions {
  readonly parse?: readonly string[];
  readonly users?: readonly string[];
  readonly roles?: readonly string[];
}
interface Embed {
  readonly title?: string;
  readonly description?: string;
  readonly url?: string;
  readonly footer?: { readonly text: string };
  readonly author?: { readonly name: string };
  readonly fields?: readonly { readonly name: string; readonly value: string }[];
}

type Errors = Record<string, string>;

const most = (errors: Errors, where: string, text: string | undefined, limit: number): void => {
  if (text !== undefined && text.length > limit)
    errors[where] = `Must be ${limit} or fewer in length.`;
};

const checkEmbeds = (embeds: readonly Embed[], errors: Errors): void => {
  if (embeds.length > 10) errors['embeds'] = 'Must be 10 or fewer in length.';
  let sum = 0;
  for (const [n, embed] of embeds.entries()) {
    most(errors, `embeds.${n}.title`, embed.title, 256);
    most(errors, `embeds.${n}.description`, embed.description, 4096);
    most(errors, `embeds.${n}.footer.text`, embed.footer?.text, 2048);
    most(errors, `embeds.${n}.author.name`, embed.author?.name, 256);
    const fields = embed.fields ?? [];
    if (fields.length > 25) errors[`embeds.${n}.fields`] = 'Must be 25 or fewer in length.';
    for (const [f, field] of fields.entries()) {
      most(errors, `embeds.${n}.fields.${f}.name`, field.name, 256);
      most(errors, `embeds.${n}.fields.${f}.value`, field.value, 1024);
    }
    const texts = [embed.title, embed.description, embed.footer?.text, embed.author?.name];
    for (const text of [...texts, ...fields.flatMap((f) => [f.name, f.value])])
      sum += text?.length ?? 0;
  }
  if (sum > 6000) errors['embeds'] = 'Embed size exceeds maximum size of 6000';
};

const checkButton = (at: string, button: FakeComponent, errors: Errors): void => {
  most(errors, `${at}.label`, button.label, 80);
  if ((button.label ?? '') === '') errors[`${at}.label`] = 'A label or emoji is required.';
  if (button.style === 5) {
    most(errors, `${at}.url`, button.url, 512);
    if (!/^(https?|discord):\/\/./.test(button.url ?? ''))
      errors[`${at}.url`] = 'Scheme must be one of http, https, discord.';
    if (button.custom_id !== undefined) errors[`${at}.custom_id`] = 'A link has no custom id.';
  } else if (button.url !== undefined) errors[`${at}.url`] = 'Only a link has a URL.';
};

const checkSelect = (at: string, select: FakeComponent, errors: Errors): void => {
  const options = select.options ?? [];
  if (options.length < 1 || options.length > 25)
    errors[`${at}.options`] = 'Must be between 1 and 25 in length.';
  for (const [n, option] of options.entries()) {
    most(errors, `${at}.options.${n}.label`, option.label, 100);
    most(errors, `${at}.options.${n}.value`, option.value, 100);
    if (option.label === '') errors[`${at}.options.${n}.label`] = 'This field is required';
  }
  if (new Set(options.map((o) => o.value)).size !== options.length)
    errors[`${at}.options`] = 'The specified option value is already used';
  if ((select.max_values ?? 1) > options.length)
    errors[`${at}.max_values`] = 'Must not be more than the options.';
  most(errors, `${at}.placeholder`, select.placeholder, 150);
};

const checkComponents = (rows: readonly FakeRow[], errors: Errors): void => {
  if (rows.length > 5) errors['components'] = 'Must be 5 or fewer in length.';
  const ids = new Set<string>();
  for (const [r, row] of rows.entries()) {
    const at = `components.${r}`;
    if (row.type !== 1) errors[`${at}.type`] = 'Must be an action row.';
    const inside = row.components ?? [];
    if (inside.length < 1 || inside.length > 5)
      errors[`${at}.components`] = 'Must be between 1 and 5 in length.';
    if (inside.some((c) => c.type === 3) && inside.length > 1)
      errors[`${at}.components`] = 'A select takes the whole row.';
    for (const [n, component] of inside.entries()) {
      const place = `${at}.components.${n}`;
      const isLink = component.type === 2 && component.style === 5;
      if (!isLink && (component.custom_id ?? '') === '')
        errors[`${place}.custom_id`] = 'This field is required';
      most(errors, `${place}.custom_id`, component.custom_id, 100);
      if (component.custom_id !== undefined && ids.has(component.custom_id))
        errors[`${place}.custom_id`] = 'Component custom id cannot be duplicated';
      if (component.custom_id !== undefined) ids.add(component.custom_id);
      if (component.type === 2) checkButton(place, component, errors);
      else if (component.type === 3) checkSelect(place, component, errors);
      else errors[`${place}.type`] = 'Not a component of a message.';
    }
  }
};

const reject = (errors: Errors): void => {
  if (Object.keys(errors).length > 0)
    throw new DiscordFault(400, 50035, 'Invalid Form Body', {
      ...Object.fromEntries(
        Object.entries(errors).map(([at, message]) => [
          at,
          { _errors: [{ code: 'BASE_TYPE_BAD', message }] },
        ]),
      ),
    });
};

/** Refuses what Discord refuses in a message. */
export const checkMessage = (
  body: MessageBody,
  files: readonly { readonly size: number }[],
  kept: { readonly content: string; readonly files: number; readonly rows: number },
): void => {
  const errors: Errors = {};
  if (typeof body.content === 'string') most(errors, 'content', body.content, 2000);
  const nonce = body.nonce === undefined ? undefined : String(body.nonce);
  most(errors, 'nonce', nonce, 25);
  if (body.enforce_nonce === true && nonce === undefined) errors['nonce'] = 'Is required.';
  checkEmbeds(body.embeds ?? [], errors);
  checkComponents(body.components ?? [], errors);
  const { parse = [], users = [], roles = [] } = body.allowed_mentions ?? {};
  if (parse.some((p) => !['everyone', 'users', 'roles'].includes(p)))
    errors['allowed_mentions.parse'] = 'Value must be one of everyone, users, roles.';
  if (
    (parse.includes('users') && users.length > 0) ||
    (parse.includes('roles') && roles.length > 0)
  )
    errors['allowed_mentions'] = 'parse and the list are mutually exclusive.';
  if (users.length > 100) errors['allowed_mentions.users'] = 'Must be 100 or fewer in length.';
  if (files.length > 10) errors['attachments'] = 'Must be 10 or fewer in length.';
  reject(errors);
  if (files.some((file) => file.size > 10 * 1024 * 1024))
    throw new DiscordFault(413, 40005, 'Request entity too large');
  const content = body.content === undefined ? kept.content : (body.content ?? '').trim();
  const rows = body.components?.length ?? kept.rows;
  if (content === '' && files.length + kept.files + rows + (body.embeds?.length ?? 0) === 0)
    throw new DiscordFault(400, 50006, 'Cannot send an empty message');
};

export const checkThreadName = (name: unknown): void => {
  const errors: Errors = {};
  if (typeof name !== 'string' || name.trim() === '') errors['name'] = 'This field is required';
  else most(errors, 'name', name, 100);
  reject(errors);
};

export const checkModal = (modal: FakeModal): void => {
  const errors: Errors = {};
  most(errors, 'title', modal.title, 45);
  most(errors, 'custom_id', modal.custom_id, 100);
  if (modal.components.length < 1 || modal.components.length > 5)
    errors['components'] = 'Must be between 1 and 5 in length.';
  for (const [n, row] of modal.components.entries()) {
    const input = row.component ?? row.components?.[0];
    most(errors, `components.${n}.label`, row.label ?? input?.label, 45);
    if (input?.type !== 4) errors[`components.${n}`] = 'Must hold a text input.';
    if ((input?.custom_id ?? '') === '') errors[`components.${n}.custom_id`] = 'Is required.';
    most(errors, `components.${n}.custom_id`, input?.custom_id, 100);
    most(errors, `components.${n}.placeholder`, input?.placeholder, 100);
    most(errors, `components.${n}.value`, input?.value, 4000);
  }
  reject(errors);
};
