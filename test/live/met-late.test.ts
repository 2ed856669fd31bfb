import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { Threaded } from './threaded.ts';
import { pause, until } from './wait.ts';

const program = await findLiveProgram();

// Each test goes on where the one before it ended: none can be tried again.
describe.skipIf(program.isMissing)(
  `a bridge that comes late ${program.title}`,
  { retry: 0 },
  () => {
    let on: Threaded;
    let agent: LiveAgent;

    beforeAll(async () => {
      on = await Threaded.open(program, { isBridgeLate: true });
      agent = await on.stage.start();
    });
    afterAll(() => on?.stop());

    /** A turn while no bridge looks. */
    const unseen = async (said: string): Promise<void> => {
      await agent.say(`#say ${said}`);
      await agent.waitForScreen(`● ${said}`);
      await agent.waitForStatus('idle');
      // The screen is ahead of the file: what is not written when it is killed was never said.
      await until('the end of the turn is written', async () => {
        const rows = await agent.rows();
        const prompt = rows.findIndex((row) =>
          JSON.stringify(row.message)?.includes(`#say ${said}`),
        );
        const rest = prompt < 0 ? [] : rows.slice(prompt);
        return rest.some((row) => row.subtype === 'turn_duration') ? true : undefined;
      });
    };
    const below = (): readonly string[] =>
      on
        .threads()[0]
        ?.messages.slice(1)
        .map((m) => m.text) ?? [];
    const told = (text: string) => on.until(text, () => below().includes(text));

    it('O01 R4, Q1: tells the head, the last turn and the open question, never the whole past', async () => {
      await unseen('long ago');
      await unseen('before');
      await agent.say('#ask');
      await agent.waitForStatus('waiting', 'input needed');
      await on.startBridge();
      await on.until('the question with buttons', () =>
        on.threads()[0]?.messages.some((m) => m.buttons.length === 3),
      );
      expect(below()).toEqual(['#ask', expect.stringContaining('Which colour shall it be?')]);
      expect(on.threads()[0]?.messages[0]?.text).toContain(on.stage.home.cwd);
      await agent.waitForScreen('Enter to select');
      await on.until('the guard of the picker has passed', pause(400));
      await agent.keys('3');
      await on.until('the answer', () => below()[1]?.includes('✅ Answered: **Blue**'));
      await agent.waitForStatus('idle');
      await on.until('what came of it', () => below()[2]?.startsWith('RESULT: '));
    });

    it('R2, P4: what was said and cleared while it was away is told in order, once', async () => {
      const before = below();
      await on.stopBridge();
      await unseen('while away');
      await agent.say('/clear');
      await agent.waitForScreen(/❯\s*$/m);
      await unseen('cleared while away');
      await on.startBridge();
      await told('cleared while away');
      expect(below().slice(0, before.length)).toEqual(before);
      expect(below().slice(before.length)).toEqual([
        '#say while away',
        'while away',
        expect.stringContaining('begins anew'),
        '#say cleared while away',
        'cleared while away',
      ]);
    });

    it('R2, R6: a run that was killed and resumed while it was away goes on in its thread', async () => {
      const before = below();
      await on.stopBridge();
      await unseen('last words');
      const session = await agent.session();
      process.kill(agent.pid, 'SIGKILL');
      agent = await on.stage.start({ args: ['--resume', session] });
      await unseen('here again');
      await on.startBridge();
      await told('here again');
      expect(below().slice(0, before.length)).toEqual(before);
      expect(below().slice(before.length)).toEqual([
        '#say last words',
        'last words',
        expect.stringContaining('⏹ The run has ended (killed)'),
        expect.stringContaining('▶️ Resumed'),
        '#say here again',
        'here again',
      ]);
      expect(on.threads()).toHaveLength(1);
    });

    it('R4, R5: the page reads the whole past through, from the newest on', async () => {
      const run = await on.page.runOf(agent.pid);
      const texts = (await on.page.items(run.id)).flatMap((i) => (i.kind === 'text' ? i.text : []));
      expect(texts.slice(0, 2)).toEqual(['#say cleared while away', 'cleared while away']);
      expect(texts.at(-1)).toBe('here again');
    });
  },
);
