import { type Json, SlackRefusal } from './slack-world.ts';

const refuse = (at: string, what: string): never => {
  throw new SlackRefusal('invalid_blocks', [`[ERROR] ${what} [json-pointer:${at}]`]);
};

const text = (value: unknown, at: string, most: number): number => {
  if (typeof value !== 'string') return refuse(at, 'missing required field');
  if (value.length === 0) refuse(at, 'must be more than 0 characters');
  if (value.length > most) refuse(at, `must be less than ${most + 1} characters`);
  return value.length;
};

const list = (value: unknown, at: string, most: number): readonly Json[] => {
  if (!Array.isArray(value) || value.length === 0) return refuse(at, 'must be a non-empty array');
  if (value.length > most) refuse(at, `no more than ${most} items allowed`);
  return value as readonly Json[];
};

const only = (value: Json, at: string, keys: readonly string[]): void => {
  for (const key of Object.keys(value))
    if (!keys.includes(key)) refuse(`${at}/${key}`, 'additional property not allowed');
};

const textObject = (value: unknown, at: string, most: number, types: readonly string[]): number => {
  const object = (value ?? {}) as Json;
  only(object, at, ['type', 'text', 'emoji', 'verbatim']);
  if (!types.includes(String(object['type']))) refuse(`${at}/type`, 'unsupported type');
  return text(object['text'], `${at}/text`, most);
};

const STYLES = [
  'bold',
  'italic',
  'strike',
  'code',
  'underline',
  'highlight',
  'client_highlight',
  'unlink',
];

const leaf = (value: Json, at: string, isPlain: boolean): number => {
  const style = (value['style'] ?? {}) as Json;
  only(style, `${at}/style`, STYLES);
  for (const [key, on] of Object.entries(style))
    if (typeof on !== 'boolean') refuse(`${at}/style/${key}`, 'must be a boolean');
  switch (value['type']) {
    case 'text':
      only(value, at, ['type', 'text', 'style']);
      return text(value['text'], `${at}/text`, Number.POSITIVE_INFINITY);
    case 'link':
      only(value, at, ['type', 'url', 'text', 'style', 'unsafe']);
      return (
        text(value['url'], `${at}/url`, 3_000) +
        (value['text'] === undefined ? 0 : text(value['text'], `${at}/text`, 40_000))
      );
    case 'user':
    case 'usergroup':
    case 'channel':
    case 'broadcast':
    case 'emoji':
      if (isPlain) refuse(at, 'only text and links may stand here');
      return 10;
    default:
      return refuse(`${at}/type`, `unsupported type: ${String(value['type'])}`);
  }
};

const leaves = (value: Json, at: string, isPlain: boolean): number =>
  list(value['elements'], `${at}/elements`, Number.POSITIVE_INFINITY)
    .map((element, n) => leaf(element, `${at}/elements/${n}`, isPlain))
    .reduce((sum, size) => sum + size, 0);

const richElement = (value: Json, at: string): number => {
  switch (value['type']) {
    case 'rich_text_section':
      only(value, at, ['type', 'elements']);
      return leaves(value, at, false);
    case 'rich_text_quote':
      only(value, at, ['type', 'elements', 'border']);
      return leaves(value, at, false);
    case 'rich_text_preformatted':
      only(value, at, ['type', 'elements', 'border', 'language']);
      return leaves(value, at, true);
    case 'rich_text_list': {
      only(value, at, ['type', 'style', 'elements', 'indent', 'offset', 'border']);
      if (value['style'] !== 'bullet' && value['style'] !== 'ordered')
        refuse(`${at}/style`, 'must be bullet or ordered');
      for (const key of ['indent', 'offset']) {
        const number = value[key] ?? 0;
        if (
          !Number.isInteger(number) ||
          Number(number) < 0 ||
          (key === 'indent' && Number(number) > 8)
        )
          refuse(`${at}/${key}`, 'out of range');
      }
      return list(value['elements'], `${at}/elements`, Number.POSITIVE_INFINITY)
        .map((item, n) => {
          if (item['type'] !== 'rich_text_section')
            refuse(`${at}/elements/${n}/type`, 'must be rich_text_section');
          return richElement(item, `${at}/elements/${n}`);
        })
        .reduce((sum, size) => sum + size, 0);
    }
    default:
      return refuse(`${at}/type`, 'unsupported type');
  }
};

const option = (value: Json, at: string): number => {
  only(value, at, ['text', 'value', 'description']);
  text(value['value'], `${at}/value`, 75);
  return textObject(value['text'], `${at}/text`, 75, ['plain_text']);
};

const element = (value: Json, at: string, isInput: boolean): number => {
  if (value['action_id'] !== undefined) text(value['action_id'], `${at}/action_id`, 255);
  switch (value['type']) {
    case 'button':
      if (isInput) refuse(at, 'a button is no input');
      if (value['value'] !== undefined) text(value['value'], `${at}/value`, 2_000);
      if (value['url'] !== undefined) text(value['url'], `${at}/url`, 3_000);
      if (value['style'] !== undefined && !['primary', 'danger'].includes(String(value['style'])))
        refuse(`${at}/style`, 'must be primary or danger');
      return textObject(value['text'], `${at}/text`, 75, ['plain_text']);
    case 'multi_static_select':
      textObject(value['placeholder'], `${at}/placeholder`, 150, ['plain_text']);
      return list(value['options'], `${at}/options`, 100)
        .map((o, n) => option(o, `${at}/options/${n}`))
        .reduce((sum, size) => sum + size, 0);
    case 'plain_text_input':
      if (!isInput) refuse(at, 'only in an input block');
      if (Number(value['max_length'] ?? 1) > 3_000) refuse(`${at}/max_length`, 'at most 3000');
      return 0;
    default:
      return refuse(`${at}/type`, 'unsupported type');
  }
};

const block = (value: Json, at: string, isView: boolean): number => {
  switch (value['type']) {
    case 'rich_text':
      only(value, at, ['type', 'block_id', 'elements']);
      return list(value['elements'], `${at}/elements`, Number.POSITIVE_INFINITY)
        .map((e, n) => richElement(e, `${at}/elements/${n}`))
        .reduce((sum, size) => sum + size, 0);
    case 'section': {
      only(value, at, ['type', 'block_id', 'text', 'accessory', 'expand', 'fields']);
      const accessory = value['accessory'] as Json | undefined;
      const size = textObject(value['text'], `${at}/text`, 3_000, ['plain_text', 'mrkdwn']);
      return size + (accessory === undefined ? 0 : element(accessory, `${at}/accessory`, false));
    }
    case 'actions': {
      only(value, at, ['type', 'block_id', 'elements']);
      const elements = list(value['elements'], `${at}/elements`, 25);
      const ids = elements.map((e) => e['action_id']);
      if (new Set(ids).size < ids.length) refuse(`${at}/elements`, '`action_id` must be unique');
      return elements
        .map((e, n) => {
          if (e['type'] === 'multi_static_select')
            refuse(`${at}/elements/${n}`, 'unsupported type');
          return element(e, `${at}/elements/${n}`, false);
        })
        .reduce((sum, size) => sum + size, 0);
    }
    case 'input': {
      if (!isView) refuse(at, 'unsupported type: input');
      textObject(value['label'], `${at}/label`, 2_000, ['plain_text']);
      return element((value['element'] ?? {}) as Json, `${at}/element`, true);
    }
    case 'context':
      return list(value['elements'], `${at}/elements`, 10)
        .map((e, n) => textObject(e, `${at}/elements/${n}`, 3_000, ['plain_text', 'mrkdwn']))
        .reduce((sum, size) => sum + size, 0);
    default:
      return refuse(`${at}/type`, `unsupported type: ${String(value['type'])}`);
  }
};

/** Measured by others: all text of all blocks together. */
const MOST_BLOCK_TEXT = 13_200;

const blocksSize = (blocks: readonly Json[], isView: boolean): number => {
  const ids = blocks.map((b) => b['block_id']).filter((id) => id !== undefined);
  if (new Set(ids).size < ids.length) refuse('/blocks', '`block_id` must be unique');
  for (const [n, id] of ids.entries()) text(id, `/blocks/${n}/block_id`, 255);
  return blocks
    .map((b, n) => block(b, `/blocks/${n}`, isView))
    .reduce((sum, size) => sum + size, 0);
};

/** Refuses what Slack refuses in a message. */
export const checkMessage = (message: Json, how: 'post' | 'update'): void => {
  const { text: plain = '', blocks = [] } = message as { text?: string; blocks?: readonly Json[] };
  if (plain === '' && blocks.length === 0) throw new SlackRefusal('no_text');
  if (how === 'update' && plain.length > 4_000) throw new SlackRefusal('msg_too_long');
  if (blocks.length > 50) refuse('/blocks', 'no more than 50 items allowed');
  if (blocksSize(blocks, false) > MOST_BLOCK_TEXT) throw new SlackRefusal('msg_blocks_too_long');
  const metadata = JSON.stringify(message['metadata'] ?? {});
  if (metadata.length > 8_000) throw new SlackRefusal('metadata_too_large');
};

/** Refuses what Slack refuses in a modal. */
export const checkView = (view: Json): void => {
  if (view['type'] !== 'modal') throw new SlackRefusal('invalid_arguments');
  textObject(view['title'], '/view/title', 24, ['plain_text']);
  for (const key of ['submit', 'close'])
    if (view[key] !== undefined) textObject(view[key], `/view/${key}`, 24, ['plain_text']);
  if (String(view['private_metadata'] ?? '').length > 3_000)
    throw new SlackRefusal('invalid_arguments', ['private_metadata is too long']);
  blocksSize(list(view['blocks'], '/view/blocks', 100), true);
};
