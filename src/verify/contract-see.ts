import type { DialogId } from '../bridge/model/ids.ts';
import { shortened } from './contract-act.ts';
import { type Scene, Unmet } from './contract-scene.ts';
import type { Sight } from './contract-steps.ts';

/** What is said to be so stays so for this long: longer than a look of the provider at a run. */
const STAYS_MS = 700;

/** Waits until it is so. Throws Unmet where it is not, with what is seen instead. */
export const see = async (scene: Scene, step: Sight): Promise<void> => {
  switch (step.see) {
    case 'found':
      return found(scene);
    case 'state':
      return state(scene, step.is);
    case 'dialog':
      return dialog(scene, step.kind, step.isAnswerable);
    case 'still-open':
      return stillOpen(scene);
    case 'screen':
      return onScreen(scene, step.shows);
    case 'not-on-screen':
      if (!(await scene.cast.agent.hand.screen()).includes(step.text)) return;
      throw new Unmet(`${shortened(step.text)} stands on the screen`);
    case 'received':
      return received(scene, step.texts);
    case 'told':
      return told(scene, step.holds, step.lacks);
    case 'cut-off':
      return cutOff(scene);
    case 'moved-on':
      return movedOn(scene, step.text);
    case 'cleared':
      return cleared(scene);
  }
};

const found = (scene: Scene): void => {
  const { stage, agent, run } = scene.cast;
  const wrong = [
    run.pane?.pane === agent.pane ? '' : `pane ${run.pane?.pane} instead of ${agent.pane}`,
    run.cwd === stage.cwd ? '' : `directory ${run.cwd} instead of ${stage.cwd}`,
    run.version === undefined ? 'no version' : '',
    run.session === undefined ? 'no session' : '',
  ].filter((text) => text !== '');
  if (wrong.length > 0) throw new Unmet(`the run was found with ${wrong.join(', ')}`);
};

const state = async (scene: Scene, wanted: readonly string[]): Promise<void> => {
  const { watch } = scene.cast;
  const { proof } = scene;
  await scene.until(
    `the state did not become ${wanted.join(' or ')}`,
    () => {
      const now = watch.latest?.state;
      if (now === undefined || !wanted.includes(now.name)) return undefined;
      if (proof !== undefined && !watch.hasRead(proof.session, proof.offset)) return undefined;
      if (now.name !== 'working') return true;
      // Busy is said before the row that begins the turn is written: until then it names the last one.
      if (now.turn === undefined || now.turn !== (proof?.turn ?? now.turn)) return undefined;
      scene.turn = now.turn;
      return true;
    },
    () => `it is ${stateNow(scene)}`,
  );
};

const stateNow = (scene: Scene): string => {
  const now = scene.cast.watch.latest?.state;
  if (now === undefined) return 'not read at all';
  return now.name === 'blocked' ? `blocked (${now.cause})` : now.name;
};

const dialog = async (
  scene: Scene,
  kind: 'question' | 'approval',
  isAnswerable: boolean,
): Promise<void> => {
  const { watch } = scene.cast;
  const seen = await scene.until(
    `no ${kind} was seen${isAnswerable ? ' that keys can answer' : ''}`,
    () => {
      const pending = watch.latest?.pendingDialog;
      const fits = pending?.content.type === kind && pending.isAnswerable === isAnswerable;
      return fits && pending.id !== scene.dialog ? pending.id : undefined;
    },
    () => `the state is ${stateNow(scene)}`,
  );
  scene.earlier = scene.dialog;
  scene.dialog = seen;
};

/** The call that a dialog belongs to, as the agent's own record names it. */
const callOf = (dialog: DialogId | undefined): string => (dialog ?? '').replace(/^approval:/, '');

const stillOpen = async (scene: Scene): Promise<void> => {
  const { agent, watch } = scene.cast;
  const until = scene.clock.now() + STAYS_MS;
  while (scene.clock.now() < until) {
    const result = agent.told().find(({ call }) => call === callOf(scene.dialog));
    if (result !== undefined)
      throw new Unmet(`the dialog was answered: the agent was told ${shortened(result.text)}`);
    if (watch.latest?.pendingDialog?.id !== scene.dialog)
      throw new Unmet(`the dialog is gone; the state is ${stateNow(scene)}`);
    await scene.clock.sleep(25, scene.signal);
  }
};

const onScreen = async (scene: Scene, text: string): Promise<void> => {
  await scene.until(
    `the screen does not show ${shortened(text)}`,
    async () => ((await scene.cast.agent.hand.screen()).includes(text) ? true : undefined),
    () => `the state is ${stateNow(scene)}`,
  );
};

const received = async (scene: Scene, texts: readonly string[]): Promise<void> => {
  scene.expected = texts;
  await scene.until(
    `the agent was to get ${listed(texts)}`,
    () => (scene.received().length >= texts.length ? true : undefined),
    () => `it got ${listed(scene.received())}`,
  );
  checkReceived(scene);
};

/** Nothing else has reached the agent than what was expected last. */
export const checkReceived = (scene: Scene): void => {
  const got = scene.received();
  const texts = scene.expected;
  if (texts === undefined || JSON.stringify(got) === JSON.stringify(texts)) return;
  throw new Unmet(`the agent was to get ${listed(texts)}; it got ${listed(got)}`);
};

const listed = (texts: readonly string[]): string =>
  texts.length === 0 ? 'nothing' : texts.map(shortened).join(' and ');

const told = async (scene: Scene, holds: string, lacks: readonly string[]): Promise<void> => {
  const call = callOf(scene.dialog);
  const { text } = await scene.until(
    'the agent was told no answer',
    () => scene.cast.agent.told().find((result) => result.call === call),
    () => `the state is ${stateNow(scene)}`,
  );
  if (!text.includes(holds) || lacks.some((word) => text.includes(word)))
    throw new Unmet(`the agent was told ${shortened(text)} instead of ${shortened(holds)}`);
};

const cutOff = async (scene: Scene): Promise<void> => {
  const count = () => scene.cast.agent.cutOff() - scene.before.cutOff;
  await scene.until(
    'the agent was not stopped',
    () => (count() > 0 ? true : undefined),
    () => `the state is ${stateNow(scene)}`,
  );
  if (count() > 1) throw new Unmet(`the agent was stopped ${count()} times`);
};

const movedOn = async (scene: Scene, text: string): Promise<void> => {
  const { watch } = scene.cast;
  await scene.until(
    'the transcript does not say that the queued text reached the agent',
    () =>
      watch.evidence
        .slice(scene.before.evidence)
        .find(
          (row) =>
            (row.type === 'absorbed' || (row.type === 'user-row' && row.source === 'queued')) &&
            scene.provider.sameText(text, row.text),
        ),
    () => `the state is ${stateNow(scene)}`,
  );
};

const cleared = async (scene: Scene): Promise<void> => {
  const { watch } = scene.cast;
  await scene.until(
    'the new session was not followed',
    () => (watch.origins.slice(scene.before.origins).includes('cleared') ? true : undefined),
    () => `the session is still ${watch.latest?.session}`,
  );
  scene.proof = undefined;
};
