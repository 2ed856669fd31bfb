import { expect, it } from 'vitest';
import { BOT_SCOPES, manifest } from '../../../../src/adapters/slack/manifest.ts';
import { SCOPES } from '../../../fakes/slack-methods.ts';

it('the manifest asks for exactly the scopes that calls and events need (O1)', () => {
  const forCalls = Object.values(SCOPES).flat();
  const forEvents = ['app_mentions:read', 'reactions:read', 'channels:history', 'groups:history'];
  expect([...BOT_SCOPES].sort()).toEqual([...new Set([...forCalls, ...forEvents])].sort());
  expect(JSON.stringify(manifest())).toContain('"socket_mode_enabled":true');
});
