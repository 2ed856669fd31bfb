import { z } from 'zod';
import type { RegistryEntry } from './registry-entry.ts';

const text = z.string().optional().catch(undefined);
const milliseconds = z.number().optional().catch(undefined);
const ticks = z.union([z.string(), z.number()]).transform(String);

/** What we use of a registry file. Unknown keys, statuses and kinds are let through; an odd optional key counts as absent. */
const schema = z.object({
  pid: z.number().int().positive(),
  sessionId: z.string().min(1),
  cwd: z.string(),
  startedAt: z.number(),
  procStart: ticks,
  version: z.string().catch(''),
  kind: z.string().catch('interactive'),
  entrypoint: text,
  tmux: text,
  name: text,
  nameSource: text,
  status: z.enum(['idle', 'busy', 'waiting', 'unknown']).optional().catch('unknown'),
  waitingFor: text,
  statusUpdatedAt: milliseconds,
  bridgeSessionId: text,
});

/** Reads the text of one registry file; `undefined`: torn, or no registry entry of this process. */
export const parseRegistryEntry = (content: string, pid: number): RegistryEntry | undefined => {
  const parsed = schema.safeParse(parseJson(content));
  if (!parsed.success || parsed.data.pid !== pid) return undefined;
  const {
    tmux,
    name,
    waitingFor,
    statusUpdatedAt,
    bridgeSessionId,
    entrypoint,
    nameSource,
    status,
    ...rest
  } = parsed.data;
  return {
    ...rest,
    status: status ?? 'unknown',
    ...(status === undefined && { isUnfinished: true }),
    ...(entrypoint && { entrypoint }),
    ...(tmux && { tmux }),
    // A derived name is the directory's with a suffix: nobody gave it.
    ...(name && nameSource !== 'derived' && { name }),
    ...(waitingFor !== undefined && { waitingFor }),
    ...(statusUpdatedAt !== undefined && { statusUpdatedAt }),
    ...(bridgeSessionId && { bridgeSessionId }),
  };
};

/** A torn file is no error: it is read again. */
const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
};

/** Which process a file of the registry's directory belongs to. */
export const registryFileOf = (
  name: string,
): { readonly type: 'entry' | 'key'; readonly pid: number } | undefined => {
  const match = /^([1-9]\d{0,9})\.(json|[0-9a-f]{64}\.key)$/.exec(name);
  if (match === null) return undefined;
  return { type: match[2] === 'json' ? 'entry' : 'key', pid: Number(match[1]) };
};
