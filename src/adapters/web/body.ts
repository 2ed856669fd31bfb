import type { Context } from 'hono';
import { z } from 'zod';
import { problem } from './guard.ts';

/** A key that the page makes once per thing that a person does; the same key again is the same thing. */
const key = z.string().regex(/^[A-Za-z0-9_-]{8,64}$/, 'must be 8 to 64 letters, digits, - or _');
const ident = z.string().min(1, 'must not be empty').max(300, 'is too long');
const words = (max: number) => z.string().max(max, `has more than ${max} characters`);

/** Beyond this nothing is read; the inbox has its own, smaller limit with a kind refusal. */
export const MAX_BODY_BYTES = 512 * 1024;

const answer = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('choose'),
    choices: z
      .array(z.array(z.int().min(0).max(99)).max(20))
      .min(1)
      .max(10),
    words: z.array(words(20_000).nullable()).max(10).optional(),
  }),
  z.strictObject({ type: z.literal('own-words'), text: words(20_000).min(1, 'must not be empty') }),
  z.strictObject({
    type: z.literal('approve'),
    mode: z.literal('acceptEdits').optional(),
    standing: z.int().min(0).max(20).optional(),
  }),
  z.strictObject({ type: z.literal('deny'), feedback: words(20_000).optional() }),
]);

export const bodies = {
  login: z.strictObject({ token: words(200) }),
  reply: z.strictObject({ key, text: words(MAX_BODY_BYTES) }),
  answer: z.strictObject({ key, dialog: ident, answer }),
  interrupt: z.strictObject({ key, turn: ident.optional() }),
  continue: z.strictObject({ key }),
  delivery: z.strictObject({ key, run: ident }),
  useAsAnswer: z.strictObject({ key, run: ident, dialog: ident }),
};

export const query = {
  items: z.object({
    before: z.coerce.number().min(0).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(60),
  }),
  changes: z.object({ cursor: z.string().max(20_000) }),
};

const say = (error: z.ZodError): string =>
  error.issues
    .map((issue) => `${issue.path.length === 0 ? 'body' : issue.path.join('.')}: ${issue.message}`)
    .join('; ');

export type Read<T> = { readonly value: T } | { readonly response: Response };

const check = <T>(c: Context, schema: z.ZodType<T>, given: unknown): Read<T> => {
  const result = schema.safeParse(given);
  return result.success
    ? { value: result.data }
    : { response: problem(c, 400, 'invalid', say(result.error)) };
};

/** Reads a JSON body by a schema, or gives the error to answer with. */
export const readBody = async <T>(c: Context, schema: z.ZodType<T>): Promise<Read<T>> => {
  if (c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    return { response: problem(c, 415, 'not-json', 'Send application/json.') };
  }
  const text = await c.req.text();
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { response: problem(c, 400, 'not-json', `The body is not JSON: ${error.message}`) };
  }
  return check(c, schema, given);
};

export const readQuery = <T>(c: Context, schema: z.ZodType<T>): Read<T> =>
  check(c, schema, c.req.query());
