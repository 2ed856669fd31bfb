import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../bridge/config.ts';
import { acquireLock, type LockDeps } from '../bridge/instance-lock.ts';

/**
 * Two consumers of one app token silently split what people say between them: on one machine, for
 * one user, a token is used by one bridge (L3). The name of the lock tells nothing of the token.
 * Throws HeldError.
 */
export const lockTokens = (
  config: Pick<Config, 'slack' | 'discord'>,
  home: string,
  deps: LockDeps,
): void => {
  const tokens = [
    ['slack.appToken', config.slack?.appToken],
    ['discord.botToken', config.discord?.botToken],
  ] as const;
  for (const [key, token] of tokens) {
    if (token === undefined) continue;
    const name = createHash('sha256').update(token).digest('hex').slice(0, 16);
    const dir = join(home, '.local', 'state', 'afk-bridge-tokens', name);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    acquireLock(dir, deps, { name: key, remedy: 'give each bridge an app of its own' });
  }
};
