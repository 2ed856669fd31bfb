import { z } from 'zod';
import type { Condition } from './condition.ts';
import type { Identity } from './inbound.ts';
import { BOT_SCOPES } from './manifest.ts';
import type { SlackWeb } from './web.ts';

const authSchema = z.looseObject({
  team_id: z.string(),
  user_id: z.string(),
  bot_id: z.string(),
  response_metadata: z.looseObject({ scopes: z.array(z.string()).optional() }).optional(),
});

export const missingScopes = (granted: readonly string[] | undefined): readonly string[] =>
  granted === undefined ? [] : BOT_SCOPES.filter((scope) => !granted.includes(scope));

/** Asks Slack whose token it is. Rejects with a BridgeError. */
export const identify = async (web: SlackWeb, condition: Condition): Promise<Identity> => {
  const answer = authSchema.parse(await web.call('auth.test'));
  condition.recognised(missingScopes(answer.response_metadata?.scopes));
  return { team: answer.team_id, botUser: answer.user_id, botId: answer.bot_id };
};
