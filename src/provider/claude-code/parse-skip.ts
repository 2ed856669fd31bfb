/**
 * Row types without meaning for a reader. Claude Code 2.1.332 writes them with `type` as the first
 * key, so they are told by their first bytes and never parsed: they are most of a file's bytes. In
 * user and assistant rows `type` stands after `message`: those are never told that way.
 */
const MEANINGLESS: ReadonlySet<string> = new Set([
  'api-request',
  'api-request-blob',
  'api-request-resumed',
  'api-request-shape',
  'atis-latch',
  'attribution-snapshot',
  'content-replacement',
  'cost-state',
  'file-history-delta',
  'file-history-snapshot',
  'frame-link',
  'last-prompt',
  'mode',
  'observer-ref',
  'permission-mode',
  'tools-used',
  'worktree-state',
]);

const PREFIX = Buffer.from('{"type":"');
const QUOTE = 0x22;
const LONGEST = 40;

/** How many bytes of a line decide `isMeaningless`. */
const SNIFFED_BYTES = PREFIX.length + LONGEST;

/** True when the bytes at the start of a line name a type without meaning. */
export const isMeaningless = (line: Uint8Array): boolean => {
  if (line.length < PREFIX.length) return false;
  for (let i = 0; i < PREFIX.length; i += 1) if (line[i] !== PREFIX[i]) return false;
  const end = line.subarray(0, SNIFFED_BYTES).indexOf(QUOTE, PREFIX.length);
  if (end < 0) return false;
  let name = '';
  for (let i = PREFIX.length; i < end; i += 1) name += String.fromCharCode(line[i] ?? 0);
  return MEANINGLESS.has(name);
};
