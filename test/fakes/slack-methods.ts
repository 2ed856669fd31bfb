import { chatMethods } from './slack-methods-chat.ts';
import { fileMethods } from './slack-methods-files.ts';
import { readMethods } from './slack-methods-read.ts';
import type { Json, SlackWorld } from './slack-world.ts';

/** What a method may use. */
export interface MethodContext {
  readonly world: SlackWorld;
  readonly token: string;
  /** Root of the server, with a final slash. */
  readonly url: string;
  readonly scopes: readonly string[];
  /** An event for the app. */
  readonly emit: (event: Json) => void;
}

export type SlackMethod = (args: Json, ctx: MethodContext) => Json;

/** Scopes of which a method needs one; absent: any token will do. */
export const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'chat.postMessage': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'conversations.replies': ['channels:history', 'groups:history'],
  'conversations.history': ['channels:history', 'groups:history'],
  'conversations.info': ['channels:read', 'groups:read'],
  'users.info': ['users:read'],
  'usergroups.users.list': ['usergroups:read'],
  'reactions.add': ['reactions:write'],
  'reactions.remove': ['reactions:write'],
  'reactions.get': ['reactions:read'],
  'files.getUploadURLExternal': ['files:write'],
  'files.completeUploadExternal': ['files:write'],
  'files.info': ['files:read'],
};

export const METHODS: Readonly<Record<string, SlackMethod>> = {
  ...chatMethods,
  ...readMethods,
  ...fileMethods,
};
