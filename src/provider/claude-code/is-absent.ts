/** A file or folder is not there: no trouble where the agent may not have written it yet, or took it away. */
export const isAbsent = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
