import type { RunHandle } from '../../src/bridge/model/run-state.ts';
import { byHand } from '../../src/provider/tmux/by-hand.ts';
import { Tmux } from '../../src/provider/tmux/tmux.ts';
import type { ContractProvider } from '../../src/verify/contract-scene.ts';

type Over = Partial<
  Pick<ContractProvider, 'reply' | 'answer' | 'interrupt' | 'resolve' | 'observe' | 'discover'>
>;
/** Makes a wrong driver of the real one. */
export type Wrong = (real: ContractProvider) => Over;

/** The real one, but for what `over` does. */
export const withOver = (real: ContractProvider, over: Over): ContractProvider => ({
  id: real.id,
  displayName: real.displayName,
  sameText: (typed, recorded) => real.sameText(typed, recorded),
  discover: (signal) => real.discover(signal),
  observe: (run, from, signal) => real.observe(run, from, signal),
  reply: (run, text, ctx) => real.reply(run, text, ctx),
  answer: (run, dialog, answer, ctx) => real.answer(run, dialog, answer, ctx),
  interrupt: (run, turn, ctx) => real.interrupt(run, turn, ctx),
  resolve: (run, attempt, ctx) => real.resolve(run, attempt, ctx),
  clearDraft: (run, attempt, ctx) => real.clearDraft(run, attempt, ctx),
  ...over,
});

const handAt = (run: RunHandle) => byHand({}, run.pane?.socket ?? '', run.pane?.pane ?? '');
/** Until the box shows it, as a driver without any other look would wait. */
const shown = async (run: RunHandle, text: string): Promise<void> => {
  const until = Date.now() + 2_000;
  while (Date.now() < until && !(await handAt(run).screen()).includes(text.slice(0, 20)));
};
const typeBlind = async (run: RunHandle, text: string): Promise<void> => {
  await handAt(run).type(text);
  await shown(run, text);
  await handAt(run).press('Enter');
};

/** Says that it is delivered and types nothing. */
const typesNothing: Wrong = () => ({ reply: async () => ({ status: 'confirmed' }) });

/** Types and presses Enter, and takes that for a proof. */
const needsNoProof: Wrong = () => ({
  reply: async (run, text) => {
    await typeBlind(run, text);
    return { status: 'confirmed' };
  },
});

/** Names as its proof whatever the transcript begins with. */
const namesAnyProof: Wrong = (real) => ({
  reply: async (run, text, ctx) => {
    const outcome = await real.reply(run, text, ctx);
    const attempt = ctx.attempts.find(ctx.delivery);
    if (attempt !== undefined) ctx.attempts.advance(ctx.delivery, attempt.stage, { offset: 0 });
    return outcome;
  },
});

/** Where the real one holds, it types all the same: into a draft, a picker, an approval. */
const holdsNothing: Wrong = (real) => ({
  reply: async (run, text, ctx) => {
    const outcome = await real.reply(run, text, ctx);
    if (outcome.status !== 'held') return outcome;
    await handAt(run).type(text);
    await handAt(run).press('Enter');
    return outcome;
  },
});

/** Clears whatever stands in the box, and types. */
const clearsDrafts: Wrong = (real) => ({
  reply: async (run, text, ctx) => {
    await handAt(run).press('C-e', 'C-u');
    return real.reply(run, text, ctx);
  },
});

/** Presses the digit, whatever dialog stands there. */
const answersAnyDialog: Wrong = () => ({
  answer: async (run, _dialog, answer) => {
    const [options = []] = answer.type === 'choose' ? answer.choices : [];
    await handAt(run).press(String((options[0] ?? 0) + 1));
    return { status: 'confirmed' };
  },
});

/** Says that the agent was stopped and presses nothing. */
const stopsNothing: Wrong = () => ({ interrupt: async () => ({ status: 'confirmed' }) });

/** Presses Escape whether the turn that was meant still runs or not. */
const stopsAnything: Wrong = () => ({
  interrupt: async (run) => {
    await handAt(run).press('Escape');
    return { status: 'confirmed' };
  },
});

/** Once delivered, always delivered. */
const neverLooksBack: Wrong = () => ({ resolve: async () => ({ status: 'confirmed' }) });

/** Follows a run and stays with its first session. */
const staysBehind: Wrong = (real) => ({
  async *observe(run, from, signal) {
    let first: string | undefined;
    for await (const seen of real.observe(run, from, signal)) {
      first ??= seen.session;
      if (seen.session === first) yield seen;
    }
  },
});

/** Takes a pane in copy mode for one that cannot be typed into. */
const leavesNoMode: Wrong = (real) => ({
  reply: async (run, text, ctx) => {
    const seen = run.pane === undefined ? undefined : await new Tmux().paneStatus(run.pane);
    return seen?.found === true && seen.status.isInMode
      ? { status: 'refused', reason: { why: 'unreachable', detail: 'The pane is in a mode.' } }
      : real.reply(run, text, ctx);
  },
});

export const wrongDrivers = {
  typesNothing,
  needsNoProof,
  namesAnyProof,
  holdsNothing,
  clearsDrafts,
  answersAnyDialog,
  stopsNothing,
  stopsAnything,
  neverLooksBack,
  staysBehind,
  leavesNoMode,
};
