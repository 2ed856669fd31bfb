import type { DeliveryOutcome } from '../bridge/model/delivery.ts';
import { type DeliveryId, type DialogId, id } from '../bridge/model/ids.ts';
import { wordsAt } from './contract-proof.ts';
import { type Scene, Unmet } from './contract-scene.ts';
import { type Act, codeOf, type OutcomeCode } from './contract-steps.ts';

/** Does one step. Throws Unmet where the outcome is another than the one that is due. */
export const act = async (scene: Scene, step: Act): Promise<void> => {
  const { provider, cast } = scene;
  const run = cast.watch.latest?.run ?? cast.run;
  switch (step.do) {
    case 'reply': {
      const ctx = scene.context();
      scene.lastReply = ctx.delivery;
      const outcome = await untilNotHeld(scene, step.expect, () =>
        provider.reply(run, step.text, ctx),
      );
      compare(`a reply (${shortened(step.text)})`, outcome, [step.expect]);
      if (outcome.status === 'confirmed' || outcome.status === 'queued')
        await checkProof(scene, ctx.delivery, step.text);
      return;
    }
    case 'answer': {
      const outcome = await provider.answer(
        run,
        dialogOf(scene, step.dialog),
        step.answer,
        scene.context(),
      );
      compare('the answer', outcome, step.expect);
      return;
    }
    case 'interrupt': {
      if (scene.turn === undefined) throw new Unmet('no turn was seen that could be interrupted');
      const outcome = await provider.interrupt(run, scene.turn, scene.context());
      compare('the interrupt', outcome, [step.expect]);
      return;
    }
    case 'resolve': {
      const attempt =
        scene.lastReply === undefined ? undefined : cast.attempts.find(scene.lastReply);
      if (attempt === undefined) throw new Unmet('nothing was noted of the reply');
      const outcome = await provider.resolve(run, attempt, scene.context());
      compare('what became of the reply', outcome, [step.expect]);
      if (outcome.status === 'returned') cast.attempts.advance(attempt.delivery, 'returned');
      return;
    }
    case 'type':
      return cast.agent.hand.type(step.text);
    case 'press':
      return cast.agent.hand.press(...step.keys);
    case 'scroll':
      return cast.agent.hand.scroll();
    case 'wait':
      return scene.clock.sleep(step.ms, scene.signal);
  }
};

/** A redraw, or a start that is not quite over, may hold a reply that is to go; the bridge tries again as well. */
const HELD_AT_MOST_MS = 5_000;
const TRY_EVERY_MS = 100;

const untilNotHeld = async (
  scene: Scene,
  expected: OutcomeCode,
  reply: () => Promise<DeliveryOutcome>,
): Promise<DeliveryOutcome> => {
  const until = scene.clock.now() + HELD_AT_MOST_MS;
  for (;;) {
    const outcome = await reply();
    const isAsked = expected.startsWith('held');
    if (outcome.status !== 'held' || isAsked || scene.clock.now() >= until) return outcome;
    await scene.clock.sleep(TRY_EVERY_MS, scene.signal);
  }
};

const dialogOf = (scene: Scene, which: 'last' | 'earlier' | 'unheard-of'): DialogId => {
  if (which === 'unheard-of') return id<DialogId>('toolu_nobody_ever_asked_this');
  const dialog = which === 'last' ? scene.dialog : scene.earlier;
  if (dialog === undefined) throw new Unmet('no dialog was seen that could be answered');
  return dialog;
};

const compare = (
  what: string,
  outcome: DeliveryOutcome,
  expected: readonly OutcomeCode[],
): void => {
  const code = codeOf(outcome);
  if (expected.includes(code)) return;
  throw new Unmet(
    `${what} ended as ${code} instead of ${expected.join(' or ')}${detailOf(outcome)}`,
  );
};

const detailOf = (outcome: DeliveryOutcome): string => {
  switch (outcome.status) {
    case 'refused':
      return `: ${outcome.reason.detail}`;
    case 'unknown':
    case 'returned':
      return `: ${outcome.reason}`;
    case 'confirmed':
    case 'queued':
      return outcome.note === undefined ? '' : `: ${outcome.note}`;
    case 'held':
      return '';
  }
};

/** The row that the provider names as its proof is there and holds the text (D2). */
const checkProof = async (scene: Scene, delivery: DeliveryId, text: string): Promise<void> => {
  const { attempts, watch } = scene.cast;
  const attempt = attempts.find(delivery);
  const proof = attempt?.proof;
  if (attempt?.session === undefined || proof === undefined)
    throw new Unmet('the reply is called delivered, and no proof of it is named');
  const file =
    attempt.file ??
    (await scene.until(
      'the transcript of the proof was not found',
      () => watch.latest?.transcriptPath,
      () => 'the run has none',
    ));
  const words = await wordsAt(file, proof.offset);
  if (words?.trim() !== text.trim()) {
    throw new Unmet(
      `the row that is named as proof holds ${words === undefined ? 'no words' : shortened(words)} instead of ${shortened(text)}`,
    );
  }
  scene.proof = { session: attempt.session, offset: proof.offset, turn: proof.turn };
};

/** A text as it can stand in a line of a report. */
export const shortened = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
