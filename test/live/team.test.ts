import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/page-client.ts';
import { type Bridged, openBridged } from './bridged.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { openTeam, type Side, shown, type Team } from './team.ts';

const program = await findLiveProgram();
const SIDES = ['slack', 'discord'] as const;
const DELIVERED = ['white_check_mark', '✅'];

describe.skipIf(program.isMissing)(`a run on both platforms, ${program.title}`, () => {
  let team: Team;
  let bridged: Bridged;
  let agent: LiveAgent;

  beforeAll(async () => {
    team = await openTeam();
    bridged = await openBridged(program, { config: team.config });
    agent = await bridged.stage.start();
  });
  afterAll(async () => {
    await bridged?.stop();
    await team?.stop();
  });

  const received = () => bridged.stage.api.received().flatMap((turn) => [...turn.texts]);
  const delivered = (side: Side, message: string) =>
    eventually(
      `${side.name}: delivered`,
      () =>
        side
          .posts()
          .find((m) => m.id === message)
          ?.marks.some((mark) => DELIVERED.includes(mark)) || undefined,
    );

  it('R19 R2, P4: a thread on each, with every turn in order, once', async () => {
    for (const word of ['one', 'two', 'three']) {
      await agent.say(`#say number ${word}`);
      await agent.waitForScreen(`● number ${word}`);
      await agent.waitForStatus('idle');
    }
    for (const name of SIDES) {
      const side = team[name];
      await shown(side, 'number three');
      await eventually('the last answer', () => {
        const texts = side.posts().map((m) => m.text);
        return texts.filter((text) => /number \w+$/.test(text)).length >= 6 ? true : undefined;
      });
      const words = side.posts().flatMap((m) => m.text.match(/number (\w+)$/m)?.[1] ?? []);
      expect(words).toEqual(['one', 'one', 'two', 'two', 'three', 'three']);
      expect(side.head()).toBeDefined();
      expect(side.pings()).toBe(0);
    }
  });

  it.each(SIDES)(
    'D1, D3, P1: a reply from %s goes once, with its receipt, and the other side names who said it',
    async (name) => {
      const [here, there] =
        name === 'slack' ? [team.slack, team.discord] : [team.discord, team.slack];
      const text = `#say hello from ${name} & <others> @everyone`;
      const message = here.say(text);
      await delivered(here, message);
      await shown(here, `hello from ${name}`);
      expect(received().filter((each) => each === text)).toHaveLength(1);
      const told = await shown(there, `#say hello from ${name}`);
      expect(told.text).toMatch(/bob/i);
      expect(here.posts().filter((m) => m.isOurs && m.text.includes('#say hello'))).toHaveLength(
        // The one of the other side, once it has said something.
        name === 'slack' ? 0 : 1,
      );
      expect(here.pings() + there.pings()).toBe(0);
    },
  );

  it.each(SIDES)('A02 A1: a stranger’s reply on %s types nothing', async (name) => {
    const before = received().length;
    team[name].say('#say I am nobody', 'stranger');
    // The driver's next reply comes after it in the same queue.
    const message = team[name].say(`#say after the stranger on ${name}`);
    await delivered(team[name], message);
    expect(received().slice(before)).toEqual([`#say after the stranger on ${name}`]);
  });

  it.each(SIDES)(
    'Q1, Q5: a question is answered by a button on %s, and closed on both',
    async (name) => {
      await agent.waitForStatus('idle');
      await agent.say('#ask');
      const asked = await eventually('the question', () =>
        team[name].posts().findLast((m) => m.isOurs && m.buttons.some((b) => b.includes('Green'))),
      );
      await eventually(
        'the question on both',
        () =>
          SIDES.every((each) => team[each].posts().some((m) => m.buttons.length > 0)) || undefined,
      );
      const label = asked.buttons.find((b) => b.includes('Green')) ?? '';
      await team[name].press(asked.id, label);
      for (const each of SIDES) {
        await eventually(`${each}: closed, and says what was chosen`, () =>
          team[each].posts().every((m) => m.buttons.length === 0) &&
          team[each]
            .posts()
            .findLast((m) => m.text.includes('Which colour'))
            ?.text.includes('Green')
            ? true
            : undefined,
        );
      }
      await agent.waitForStatus('idle');
    },
  );

  it('L2: what was said while the bridge was away is read back and goes, once', async () => {
    await bridged.bridge.kill();
    const said = SIDES.map((name) => team[name].say(`#say while away on ${name}`));
    await bridged.bridge.start();
    for (const [index, name] of SIDES.entries()) await delivered(team[name], said[index] ?? '');
    for (const name of SIDES) {
      await shown(team[name], 'while away on slack');
      await shown(team[name], 'while away on discord');
      expect(received().filter((text) => text === `#say while away on ${name}`)).toHaveLength(1);
    }
  });
});
