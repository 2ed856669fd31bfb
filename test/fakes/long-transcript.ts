import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const recorded = new URL(
  '../../compat/claude-code/fixtures/transcripts/plain-turns-2.1.332.jsonl',
  import.meta.url,
);
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Rows of this kind hold what was sent to the model: most of a real transcript. */
const NOISE_BYTES = 100_000;

/** Lines of words, as in what is sent to a model. */
const noiseOf = (bytes: number): string =>
  'Be brief. Read a "file" before you edit it.\n'.repeat(Math.ceil(bytes / 44)).slice(0, bytes);

interface Made {
  /** uuid that the next row follows. */
  readonly leaf: string;
  readonly turns: number;
  readonly bytes: number;
}

/** A turn after the other as recorded, with ids of its own, the size of a real one. */
const blockOf = (
  session: string,
  noiseBytes: number,
): { text: string; ids: readonly string[]; last: string } => {
  const rows = readFileSync(recorded, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>;
      return row.type === 'api-request-blob'
        ? { type: 'api-request-blob', sessionId: session, blob: noiseOf(noiseBytes) }
        : { ...row, sessionId: session };
    });
  const linked = rows.filter((row) => 'uuid' in row) as { uuid: string; parentUuid?: unknown }[];
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const ids = [...new Set(text.match(UUID) ?? [])].filter((id) => id !== session);
  return { text, ids, last: linked.at(-1)?.uuid ?? '' };
};

/** Writes a transcript of at least so many bytes; every row hangs on the one before it. */
export const writeLongTranscript = (
  path: string,
  options: {
    readonly session: string;
    readonly bytes: number;
    readonly end: number;
    /** Length of each row that holds what was sent to the model. */
    readonly noiseBytes?: number;
  },
): Made => {
  const { text, ids, last } = blockOf(options.session, options.noiseBytes ?? NOISE_BYTES);
  // Cut at every id once, so that each copy is only put together.
  const parts = text.split(new RegExp(`(${[...ids, 'toolu_'].join('|')})`));
  const copies = Math.ceil(options.bytes / Buffer.byteLength(text));
  const own = (id: string, copy: number): string =>
    id === 'toolu_' ? `toolu_${copy}_` : `${id.slice(0, 26)}${String(copy).padStart(10, '0')}`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'w', 0o600);
  let bytes = 0;
  let leaf = '';
  try {
    for (let copy = 0; copy < copies; copy++) {
      const time = new Date(options.end - (copies - copy) * 60_000).toISOString();
      const block = parts
        .map((part, n) => (n % 2 === 1 ? own(part, copy) : part))
        .join('')
        .replaceAll(/"timestamp":"[^"]+"/g, `"timestamp":"${time}"`);
      bytes += writeSync(
        file,
        leaf === '' ? block : block.replace('"parentUuid":null', `"parentUuid":"${leaf}"`),
      );
      leaf = own(last, copy);
    }
  } finally {
    closeSync(file);
  }
  return { leaf, bytes, turns: copies * 5 };
};
