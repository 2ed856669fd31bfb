import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseRegistryEntry } from '../../src/provider/claude-code/registry-schema.ts';
import { readScreen } from '../../src/provider/claude-code/screen.ts';
import { readPin } from '../../src/verify/agent-program.ts';
import { Stage } from '../../test/live/harness.ts';
import type { LiveAgent } from '../../test/live/live-agent.ts';
import { findLiveProgram } from '../../test/live/program.ts';
import { until } from '../../test/live/wait.ts';

const program = await findLiveProgram();
const pin = await readPin();

describe.skipIf(program.isMissing)(`couplings of compat.md, ${program.title}`, () => {
  let stage: Stage | undefined;
  const open = async (options: Parameters<typeof Stage.open>[1] = {}): Promise<Stage> => {
    stage = await Stage.open(program, options);
    return stage;
  };
  afterEach(async () => {
    await stage?.stop();
    stage = undefined;
  });
  const reading = async (agent: LiveAgent) =>
    readScreen({ capture: await agent.screen(true), cols: 100 });

  it('Running it 1: the pinned version is what runs', async () => {
    const { home } = await open();
    const agent = await stage?.start();
    expect((await agent?.registry())?.version).toBe(pin.version);
    expect(home.configDir).toContain(home.base);
  });

  it('Start-up 1: in the trust dialog there is no registry entry, and No is chosen', async () => {
    const agent = await (await open({ isTrusted: false })).start({ untilIdle: false });
    const screen = await agent.waitForScreen('I trust this folder');
    expect(screen).toMatch(/❯ .*No, exit/);
    expect(await agent.registry()).toBeUndefined();
    expect(await reading(agent)).toMatchObject({ kind: 'blocked', cause: 'trust' });
    const ends = (withinMs: number) =>
      until('the program ends', () => (agent.isAlive() ? undefined : true), withinMs);
    // It takes no key in its first instants, and none while keys keep coming.
    await agent.keys('Enter');
    await ends(1_500).catch(() => agent.keys('Enter'));
    await ends(5_000);
  });

  it('Start-up 2: bypass mode asks once more, and No is chosen', async () => {
    const agent = await (await open({ isBypassAccepted: false })).start({
      mode: 'bypassPermissions',
      untilIdle: false,
    });
    await agent.waitForScreen(/Bypass Permissions mode/i);
    expect(await reading(agent)).toMatchObject({ kind: 'blocked', cause: 'bypass-notice' });
    expect(await agent.screen()).toMatch(/❯ .*No, exit/);
    expect(await agent.registry()).toBeUndefined();
  });

  it('Start-up 3: the entry appears idle; the transcript only with the first prompt', async () => {
    const agent = await (await open()).start();
    expect(await agent.transcript()).toBeUndefined();
    await agent.say('#say first');
    await agent.waitForScreen('● first');
    await until('a transcript', () => agent.transcript());
  });

  it.each([
    ['acceptEdits', '#ask'],
    ['bypassPermissions', '#ask'],
    ['auto', '#ask'],
    ['plan', '#ask'],
  ])('Permission modes 1: in %s a question is a dialog with "input needed"', async (mode, ask) => {
    const agent = await (await open()).start({ mode });
    await agent.say(ask);
    await agent.waitForStatus('waiting', 'input needed');
    await until('the picker', async () => {
      const seen = await reading(agent);
      return seen.kind === 'dialog' && seen.dialog === 'question' ? true : undefined;
    });
  });

  it('Permission modes 2: in dontAsk a question is denied at once, and nothing waits', async () => {
    const agent = await (await open()).start({ mode: 'dontAsk' });
    await agent.say('#ask');
    await agent.waitForScreen('RESULT (error)');
    expect((await agent.registry())?.waitingFor ?? '').toBe('');
  });

  it('Permission modes 3: manual asks for Bash: "permission prompt", last choice No', async () => {
    const agent = await (await open()).start();
    await agent.say('#perm touch granted');
    await agent.waitForStatus('waiting', 'permission prompt');
    const seen = await until('the approval', async () => {
      const is = await reading(agent);
      return is.kind === 'dialog' && is.dialog === 'approval' ? is : undefined;
    });
    expect(seen.options[0]).toMatchObject({ number: 1, label: 'Yes', isCursor: true });
    expect(seen.options.at(-1)?.label).toMatch(/^No/);
  });

  it('Permission modes 4: plan mode ends in a plan dialog: "permission prompt"', async () => {
    const agent = await (await open()).start({ mode: 'plan' });
    await agent.say('#plan');
    await agent.waitForStatus('waiting', 'permission prompt');
    await until('the plan', async () => {
      const is = await reading(agent);
      return is.kind === 'dialog' && is.dialog === 'plan' ? is : undefined;
    });
    await until('the row that holds the plan', async () => {
      const rows = JSON.stringify((await agent.rows()).filter((row) => row.type === 'assistant'));
      return /"name":"ExitPlanMode","input":\{"plan":"# Plan/.test(rows) ? true : undefined;
    });
  });

  it('Deep link 1: without remote control the registry has no bridgeSessionId', async () => {
    const agent = await (await open()).start();
    const entry = await agent.registry();
    expect(entry).toBeDefined();
    expect(parseRegistryEntry(JSON.stringify(entry), agent.pid)?.bridgeSessionId).toBeUndefined();
  });

  it('Transcript schema: --continue appends to the same session, a fork copies rows', async () => {
    const first = await (await open()).start();
    await first.say('#say one');
    await first.waitForScreen('● one');
    await first.waitForStatus('idle');
    const session = await first.session();
    const before = await first.rows();
    await first.end();
    const second = await stage?.start({ args: ['--continue'] });
    expect(await second?.session()).toBe(session);
    await second?.end();
    const fork = await stage?.start({ args: ['--continue', '--fork-session'] });
    if (fork === undefined) throw new Error('no fork');
    await fork.say('#say two');
    await fork.waitForScreen('● two');
    expect(await fork.session()).not.toBe(session);
    const uuid = before.find((row) => row.type === 'user')?.uuid;
    await until('the copied row', async () =>
      (await fork.rows()).some((row) => row.uuid === uuid) ? true : undefined,
    );
  });

  it('Transcript schema: a subagent has its own file, and its end is a task notification', async () => {
    const agent = await (await open()).start();
    await agent.say('#agent look around');
    await agent.waitForScreen(/Agent "Scripted agent" (finished|completed)/);
    await until('a task notification', async () =>
      JSON.stringify(await agent.rows()).includes('<task-notification>') ? true : undefined,
    );
    expect(stage?.api.received().filter((turn) => turn.purpose === 'agent')).toMatchObject([
      { texts: ['look around'] },
    ]);
  });
});

describe.skipIf(program.isMissing)(`the scripted API, ${program.title}`, () => {
  let stage: Stage;
  let agent: LiveAgent;
  beforeAll(async () => {
    stage = await Stage.open(program);
    agent = await stage.start();
  });
  afterAll(() => stage?.stop());

  it('Running it 2: several queued messages are one turn with each text exact', async () => {
    await agent.say('#slow 3 alpha');
    await agent.waitForStatus('busy');
    await agent.say('queued one');
    await agent.say('queued two');
    const turn = await stage.api.waitForText('queued two');
    expect(turn.texts).toEqual(['queued one', 'queued two']);
    await agent.waitForStatus('idle');
  });

  it('Running it 3: an API error that stays ends the turn', async () => {
    await agent.say('#error 400');
    await agent.waitForScreen('API Error: 400');
    await agent.waitForStatus('idle');
  });
});
