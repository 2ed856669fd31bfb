import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryOutcome } from '../../src/bridge/model/delivery.ts';
import { type DeliveryId, id } from '../../src/bridge/model/ids.ts';
import { until } from '../live/wait.ts';
import type { Cell } from './cells.ts';
import { type Faults, isRight, judge, words } from './judge.ts';
import type { Scene } from './scene.ts';

/** What one try came to. */
export interface Tried {
  readonly isRight: boolean;
  readonly faults: Faults;
  readonly outcome: string;
  /** From the command to the first outcome, where that is a proof. */
  readonly proofMs?: number;
  /** The agent is idle and its box empty: it can be used again. */
  readonly isClean: boolean;
  /** Kept for who looks at a wrong try. */
  readonly notes: Readonly<Record<string, unknown>>;
}

/** The situation could not be brought about: nothing was tried, nothing is counted. */
export class NoSituation extends Error {}

const DEADLINE_MS = 30_000;
const ARRIVES_WITHIN_MS = 20_000;

/** Makes one try on this agent: brings it there, sends, looks at what came of it, brings it back. */
export const tryCell = async (scene: Scene, cell: Cell): Promise<Tried> => {
  const { state, text } = cell;
  scene.owed.length = 0;
  await arrange(scene, cell);
  const start = scene.received().length;
  // What still moves is not compared below; a dialog that is only half drawn would be.
  const before =
    state.isFresh === true || state.expected.is === 'queued'
      ? await scene.still()
      : await scene.settled();
  const delivery = id<DeliveryId>(randomUUID());
  scene.rig.tmux.afterPaste = state.between && (() => state.between?.(scene) ?? Promise.resolve());
  const beside = state.beside?.(scene);
  const began = performance.now();
  const outcome = await deliver(scene, cell, delivery);
  const proofMs = performance.now() - began;
  scene.rig.tmux.afterPaste = undefined;
  await beside;

  const after = await scene.still();
  const draft = await drawn(scene, state.drafted);
  // Where the screen moves on its own, the box tells whether something was typed.
  const isMoving = ['queued', 'returned', 'true'].includes(state.expected.is);
  const isUntouched =
    isMoving || state.drafted !== undefined
      ? draft === 'z'.repeat(state.drafted ?? 0)
      : after === before;
  const queued = state.expected.is === 'queued' ? text.receivedQueued : undefined;
  const wanted = queued ?? text.received ?? text.text;
  const claims = outcome.status === 'confirmed' || outcome.status === 'queued';
  const isDialogOpen = state.dialog === undefined ? undefined : await isOpen(scene, state.dialog);

  const problems: string[] = [];
  const attempt = (what: string, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => problems.push(`${what}: ${String(error).slice(0, 2_000)}`));
  if (state.leave !== undefined) await attempt('leaving', () => state.leave?.(scene) ?? sleep(0));
  const received = (): readonly string[] => without(scene.received().slice(start), scene.owed);
  if (state.isLasting !== true && !(claims && received().length > 0)) {
    if (claims)
      await attempt('arriving', () =>
        until('it arrives', () => received().length > 0 || undefined, ARRIVES_WITHIN_MS),
      );
  }
  if (outcome.status === 'queued')
    await attempt('confirming', () =>
      until(
        'it is confirmed or returned',
        () => scene.rig.later(delivery).some(({ status }) => status !== 'queued') || undefined,
      ),
    );
  if (state.isLasting !== true)
    await attempt('ending', () => scene.agent.waitForStatus('idle', undefined, 20_000));
  const faults = judge({
    ...{ expected: cell.expected, wanted, isWrapped: text.isWrapped === true, outcome },
    ...{ later: scene.rig.later(delivery), received: received(), isUntouched },
    ...(state.drafted !== undefined && {
      draft: { mark: 'z', isInBox: draft.split('z').length - 1 === state.drafted },
    }),
    ...(isDialogOpen !== undefined && { isDialogOpen }),
  });
  const isClean = problems.length === 0 && (state.isLasting === true || (await scene.isBoxFree()));
  return {
    isRight: isRight(faults),
    faults,
    outcome: words(outcome),
    ...(claims ? { proofMs: Math.round(proofMs) } : {}),
    isClean,
    notes: {
      outcome,
      later: scene.rig.later(delivery),
      received: received(),
      before,
      after,
      draft,
      problems,
    },
  };
};

/** The box, once it shows all that a person typed: the last letter is drawn late on a busy machine. */
const drawn = async (scene: Scene, letters: number | undefined): Promise<string> => {
  if (letters === undefined) return scene.draft();
  const all = async () => {
    const draft = await scene.draft();
    return draft.split('z').length - 1 >= letters ? draft : undefined;
  };
  return until('the last letter', all, 1_500).catch(() => scene.draft());
};

const arrange = async (scene: Scene, { state, text }: Cell): Promise<void> => {
  try {
    if (state.name === 'idle') await text.beforeIdle?.(scene);
    await state.arrange?.(scene);
    if (state.name === 'streaming') await text.beforeStreaming?.(scene);
  } catch (error) {
    throw new NoSituation('the situation could not be brought about', { cause: error });
  }
};

const deliver = async (
  scene: Scene,
  { state, text }: Cell,
  delivery: DeliveryId,
): Promise<DeliveryOutcome> => {
  const { rig, handle, run } = scene;
  if (handle !== undefined) return rig.replyByHandle(handle, delivery, text.text, DEADLINE_MS);
  const deadline = Date.now() + DEADLINE_MS;
  for (;;) {
    const outcome = await rig.command(run, delivery, text.text, DEADLINE_MS);
    if (state.isPatient !== true || outcome.status !== 'held' || Date.now() > deadline)
      return outcome;
    await sleep(20);
  }
};

/** A dialog that is held back while somebody types comes a little later: open then, too. */
const isOpen = (scene: Scene, dialog: RegExp): Promise<boolean> =>
  until(
    'the dialog is open',
    async () => {
      const isWaiting = (await scene.agent.registry())?.status === 'waiting';
      return (isWaiting && dialog.test(await scene.agent.screen())) || undefined;
    },
    6_000,
  ).catch(() => false);

/** What is left of the texts when each of the others is taken out once. */
const without = (texts: readonly string[], others: readonly string[]): readonly string[] => {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
};
