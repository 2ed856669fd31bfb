import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/page-client.ts';
import { type Bridged, openBridged } from './bridged.ts';
import { hookArgs } from './hooked.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { openTeam, type Shown, type Side, type Team } from './team.ts';

const program = await findLiveProgram();
const SIDES = ['slack', 'discord'] as const;

describe.skipIf(program.isMissing)(`dialogs from a phone, by the hook, ${program.title}`, () => {
  let team: Team;
  let bridged: Bridged;
  let agent: LiveAgent;

  beforeAll(async () => {
    team = await openTeam();
    bridged = await openBridged(program, { config: team.config });
    agent = await bridged.stage.start({ args: hookArgs(bridged.bridge.stateDir) });
    await bridged.page.runOf(agent.pid);
  });
  afterAll(async () => {
    await bridged?.stop();
    await team?.stop();
  });

  const results = () => bridged.stage.api.results().map(({ text }) => text);
  /** The newest message of a side that has this button. */
  const offered = (side: Side, label: string): Promise<Shown> =>
    eventually(
      `${side.name} offers ${label}`,
      () => side.posts().findLast((m) => m.isOurs && m.buttons.some((b) => b.includes(label))),
      25_000,
    );
  const buttonOf = (message: Shown, label: string): string =>
    message.buttons.find((b) => b.includes(label)) ?? '';
  const settled = async (words: string) => {
    for (const name of SIDES)
      await eventually(
        `${name}: no button is left, and it says ${words}`,
        () =>
          team[name].posts().every((m) => m.buttons.length === 0) &&
          team[name].posts().some((m) => m.text.includes(words))
            ? true
            : undefined,
        25_000,
      );
    await agent.waitForStatus('idle');
  };

  it.each(SIDES)(
    'Q3: a tool is allowed by a button on %s, its whole command in sight',
    async (name) => {
      await agent.waitForStatus('idle');
      await agent.say(`#bash touch allowed-from-${name}`);
      const asked = await offered(team[name], 'Allow once');
      expect(asked.text).toContain(`touch allowed-from-${name}`);
      await team[name].press(asked.id, 'Allow once');
      await settled('approved');
    },
  );

  it.each(SIDES)('Q3: a tool is denied with a word on %s', async (name) => {
    await agent.waitForStatus('idle');
    await agent.say(`#bash touch denied-from-${name}`);
    const asked = await offered(team[name], 'say why');
    await team[name].fillIn(asked.id, buttonOf(asked, 'say why'), `not from ${name}`);
    await eventually(
      'the model is told',
      () => results().some((text) => text.includes(`not from ${name}`)) || undefined,
    );
    await settled('Declined');
  });

  it.each(SIDES)('Q3: two questions are answered in one form on %s', async (name) => {
    await agent.waitForStatus('idle');
    await agent.say('#ask two');
    const asked = await offered(team[name], 'Answer all');
    await team[name].fillIn(asked.id, buttonOf(asked, 'Answer all'), `2\nas large as ${name}`);
    await eventually(
      'the model is told',
      () => results().some((text) => text.includes(`as large as ${name}`)) || undefined,
    );
    await settled('Green');
  });
});
