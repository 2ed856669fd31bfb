import type { StageOptions } from '../live/harness.ts';

/** Stages of the matrix: each a private home with its own settings. */
export const PROFILES = {
  plain: { settings: { permissions: { allow: ['Bash(sleep:*)'] } } },
  vim: { settings: { editorMode: 'vim' } },
  untrusted: { isTrusted: false },
  bypass: { isBypassAccepted: false },
} as const satisfies Record<string, StageOptions>;

export type Profile = keyof typeof PROFILES;
