import { open } from 'node:fs/promises';
import { z } from 'zod';

const Text = z.union([
  z.string(),
  z
    .array(z.looseObject({ text: z.string().optional() }))
    .transform((blocks) => blocks.map((block) => block.text ?? '').join('')),
]);
/** Rows that can prove a delivery, as little of them as is needed: not read by the provider's own schema. */
const Row = z.looseObject({
  message: z.looseObject({ content: Text }).optional(),
  content: z.string().optional(),
  attachment: z.looseObject({ prompt: Text.optional() }).optional(),
});

/** Bytes of one row at most; the contract's own texts are short. */
const MOST_BYTES = 64 * 1024;

/** What the transcript's row at this byte offset holds as a person's words; undefined where none begins. */
export const wordsAt = async (file: string, offset: number): Promise<string | undefined> => {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({
      buffer: Buffer.alloc(MOST_BYTES),
      position: offset,
    });
    const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
    const { message, content, attachment } = Row.parse(JSON.parse(line));
    return message?.content ?? attachment?.prompt ?? content;
  } catch {
    // No row begins there, or one of another kind: that is the answer.
    return undefined;
  } finally {
    await handle.close();
  }
};
