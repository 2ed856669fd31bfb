import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadThread } from '../fakes/memory-threads.ts';
import type { LiveAgent } from './live-agent.ts';
import { findLiveProgram } from './program.ts';
import { Threaded } from './threaded.ts';
import { pause } from './wait.ts';

const program = await findLiveProgram();

// Each test goes on where the one before it ended: none can be tried again.
describe.skipIf(program.isMissing)(
  `one conversation, one thread ${program.title}`,
  { retry: 0 },
  () => {
    let on: Threaded;
    let agent: LiveAgent;
    let thread: string;

    beforeAll(async () => {
      on = await Threaded.open(program);
      agent = await on.stage.start();
      thread = (await on.threadWith('project')).thread;
    });
    afterAll(() => on?.stop());

    const now = (of = thread): ReadThread => {
      const found = on.threads().find((t) => t.thread === of);
      if (found === undefined) throw new Error(`no thread ${of}`);
      return found;
    };
    /** Types a line at the terminal and waits until the agent's answer to it stands in a thread. */
    const turn = async (by: LiveAgent, said: string, of = thread): Promise<void> => {
      await by.say(`#say ${said}`);
      await on.until(`${said} answered in ${of}`, () =>
        now(of).texts('text').includes(said) ? true : undefined,
      );
      await by.waitForStatus('idle');
    };
    const head = (of = thread): string => now(of).messages[0]?.text ?? '';
    /** Everything below the head, and what came since an earlier look at it. */
    const below = (of = thread): readonly string[] =>
      now(of)
        .messages.slice(1)
        .map((m) => m.text);

    it('R4, P4: a transcript born after the run was seen is told from its first byte, in order, once', async () => {
      expect(head()).toContain(on.stage.home.cwd);
      await turn(agent, 'first');
      await turn(agent, 'second');
      expect(below()).toEqual(['#say first', 'first', '#say second', 'second']);
      expect(on.threads()).toHaveLength(1);
    });

    it('P1: tool calls that follow each other fold into one message that is edited', async () => {
      const before = below().length;
      await agent.say('#two');
      await on.threadWith('RESULT: ');
      await agent.waitForStatus('idle');
      const folded = await on.until('both calls done', () => {
        const { messages } = now();
        const activity = messages.filter((m) => m.type === 'activity');
        return activity[0]?.text.match(/✓ Bash/g)?.length === 2 ? activity : undefined;
      });
      expect(folded).toHaveLength(1);
      expect(below().slice(before)).toEqual([
        '#two',
        '✓ Bash `echo one`\n✓ Bash `echo two`',
        expect.stringContaining('RESULT: '),
      ]);
    });

    it('D1, D3, P1: a reply in the thread reaches the agent, gets its receipt, and is not repeated', async () => {
      const before = below().length;
      const message = on.say(thread, '#say from chat');
      await on.until('a receipt', () =>
        now().messages.find((m) => m.id === message)?.mark === '✅' ? true : undefined,
      );
      await on.until('the answer', () => (below().includes('from chat') ? true : undefined));
      expect(below().slice(before)).toEqual(['#say from chat', 'from chat']);
      await agent.waitForStatus('idle');
    });

    it('D22 Q1, Q5: a question is one message with its options, edited when it is answered at the terminal', async () => {
      await agent.say('#ask');
      const asked = await on.until('the question with buttons', () =>
        now().messages.find((m) => m.type === 'dialog' && m.buttons.length > 0),
      );
      expect(asked.buttons).toEqual(['Red', 'Green', 'Blue']);
      for (const part of ['**Colour**', 'Which colour shall it be?', '**Green** – Like grass'])
        expect(asked.text).toContain(part);
      await agent.waitForScreen('Enter to select');
      await on.until('the guard of the picker has passed', pause(400));
      await agent.keys('2');
      await on.until('the answer in it', () =>
        now()
          .messages.find((m) => m.id === asked.id)
          ?.text.includes('✅ Answered: **Green**'),
      );
      await agent.waitForStatus('idle');
      const dialogs = now().messages.filter((m) => m.type === 'dialog');
      expect(dialogs).toMatchObject([{ id: asked.id, buttons: [] }]);
    });

    it('Q5: an approval is one message, edited when it is decided at the terminal', async () => {
      await agent.say('#perm touch granted');
      const asked = await on.until('the approval', () =>
        now().messages.find((m) => m.type === 'dialog' && m.text.includes('Allow Bash?')),
      );
      expect(asked.text).toContain('touch granted');
      await agent.waitForScreen('Esc to cancel');
      await on.until('the guard of the dialog has passed', pause(400));
      await agent.keys('1');
      await on.until('how it ended', () =>
        now()
          .messages.find((m) => m.id === asked.id)
          ?.text.includes('✅ Answered: **approved**'),
      );
      await on.until('the turn goes on', () => below().at(-1)?.startsWith('RESULT: (Bash'));
      await agent.waitForStatus('idle');
      expect(now().texts('dialog')).toHaveLength(2);
    });

    it('R2: /clear goes on in the same thread with one separator; nothing old appears again', async () => {
      const before = below();
      await agent.say('/clear');
      await on.threadWith('begins anew');
      await agent.waitForStatus('idle');
      await turn(agent, 'after clear');
      expect(below().slice(0, before.length)).toEqual(before);
      expect(below().slice(before.length)).toEqual([
        expect.stringContaining('begins anew'),
        '#say after clear',
        'after clear',
      ]);
      expect(on.threads()).toHaveLength(1);
    });

    it('R2: /compact is told in the same thread', async () => {
      const before = below();
      await agent.say('/compact');
      await on.threadWith('🗜️ Conversation compacted');
      await agent.waitForStatus('idle');
      await turn(agent, 'after compact');
      expect(below().slice(0, before.length)).toEqual(before);
      expect(below().slice(before.length)).toEqual([
        '🗜️ Conversation compacted',
        expect.stringContaining('/compact'),
        '#say after compact',
        'after compact',
      ]);
    });

    it('R2: a rewind is told, what it left behind is marked, nothing is posted again', async () => {
      const before = below();
      await turn(agent, 'left behind');
      await agent.keys('Escape');
      await on.until('two Escapes apart', pause(150));
      await agent.keys('Escape');
      await agent.waitForScreen('(current)');
      await agent.keys('Up', 'Enter');
      await agent.waitForScreen('Restore conversation');
      await agent.keys('Enter');
      await agent.waitForStatus('idle');
      await agent.waitForScreen(/❯\s#say left behind/);
      await agent.keys('C-e', 'C-u');
      await turn(agent, 'another way');
      await on.threadWith('left behind by a rewind');
      const rest = below().slice(before.length);
      expect(rest.filter((text) => !text.startsWith('🚧'))).toEqual([
        '#say left behind\n\n_(left behind by a rewind)_',
        'left behind\n\n_(left behind by a rewind)_',
        expect.stringContaining('⏪'),
        '#say another way',
        'another way',
      ]);
      expect(below().slice(0, before.length)).toEqual(before);
    });

    it('R2: a fork has its own thread, and copied history is not posted again', async () => {
      const before = below();
      const session = await agent.session();
      const fork = await on.stage.start({ args: ['--resume', session, '--fork-session'] });
      const own = await on.until('a second thread', () => on.threads()[1]?.thread);
      await turn(fork, 'on the fork', own);
      expect(below(own)).toEqual([
        expect.stringContaining('🍴 Forked'),
        '#say on the fork',
        'on the fork',
      ]);
      expect(below()).toEqual(before);
      await fork.end();
      await on.until('its end', () => (head(own).includes('⏹ ended (exited)') ? true : undefined));
    });

    it('R2, D1: /branch goes on in a thread of its own; a reply in the one it left is refused; /resume comes back', async () => {
      const session = await agent.session();
      const before = below();
      await agent.say('/branch');
      await agent.waitForScreen('Branched session');
      await agent.waitForStatus('idle');
      const own = await on.until('a thread of the branch', () => on.threads()[2]?.thread);
      await turn(agent, 'on the branch', own);
      expect(below(own)).toEqual([
        expect.stringContaining('🍴 Forked'),
        expect.stringContaining('/branch'),
        '#say on the branch',
        'on the branch',
      ]);
      const left = expect.stringContaining('➡️ Its process has gone on');
      expect(below()).toEqual([...before, left]);
      expect(head()).toContain('➡️ gone on');
      const message = on.say(thread, 'to nobody');
      await on.until('a refusal', () =>
        now().messages.find((m) => m.id === message)?.mark === '⛔' ? true : undefined,
      );
      await agent.say(`/resume ${session}`);
      await on.until('that it is back', () => below().at(-1)?.includes('▶️ Resumed'));
      await agent.waitForStatus('idle');
      await turn(agent, 'back again');
      expect(below()).toEqual([
        ...before,
        left,
        'to nobody',
        expect.stringContaining('▶️ Resumed'),
        '#say back again',
        'back again',
      ]);
      expect(on.stage.api.received().flatMap((t) => [...t.texts])).not.toContain('to nobody');
    });

    it('R2: a second live process on the session has its own thread and a warning', async () => {
      const second = await on.stage.start({ args: ['--resume', await agent.session()] });
      const own = await on.until('one more thread', () => on.threads()[3]?.thread);
      await on.until('a warning', () => below(own)[0]?.includes('second process'));
      await second.end();
      await on.until('its end', () => (head(own).includes('⏹ ended (exited)') ? true : undefined));
      expect(on.threads()).toHaveLength(4);
    });

    it('R6: the head says how the run ended; a reply is refused with the command that resumes it', async () => {
      const session = await agent.session();
      await agent.say('/exit');
      await on.until('the end', () => (head().includes('⏹ ended (exited)') ? true : undefined));
      const message = on.say(thread, 'too late');
      await on.until('a refusal', () =>
        now().messages.find((m) => m.id === message)?.mark === '⛔' ? true : undefined,
      );
      await on.until('the command', () =>
        below()
          .slice(-2)
          .some((text) => text.includes(`claude --resume ${session}`)),
      );
    });

    it.each([
      ['--resume', (session: string) => ['--resume', session]],
      ['--continue', () => ['--continue']],
    ])(
      'R2: %s by a later process goes on in the same thread with one separator',
      async (_, args) => {
        const session =
          now()
            .all()
            .match(/claude --resume (\S+?)`/)?.[1] ?? '';
        const before = below();
        agent = await on.stage.start({ args: args(session) });
        await on.until('a separator', () => below().length > before.length || undefined);
        await turn(agent, `gone on by ${args(session)[0]}`);
        expect(below().slice(0, before.length)).toEqual(before);
        expect(below().slice(before.length)).toEqual([
          expect.stringContaining('▶️ Resumed'),
          `#say gone on by ${args(session)[0]}`,
          `gone on by ${args(session)[0]}`,
        ]);
        expect(on.threads()).toHaveLength(4);
        process.kill(agent.pid, 'SIGKILL');
        await on.until('the end', () => (head().includes('⏹ ended (killed)') ? true : undefined));
      },
    );
  },
);
