import { afterEach, describe, expect, it } from 'vitest';
import type { TextItem } from '../../../../src/bridge/model/conversation.ts';
import {
  type DialogId,
  type ItemId,
  id,
  type RunId,
  type SessionId,
} from '../../../../src/bridge/model/ids.ts';
import type { RunHandle } from '../../../../src/bridge/model/run-state.ts';
import type { AgentProvider, Observation } from '../../../../src/bridge/ports/agent-provider.ts';
import { anObservation, aRun, fakeProvider } from '../../../fakes/fake-provider.ts';
import { type HostRig, hostRig } from './host-rig.ts';

const item = (name: string): TextItem => ({
  kind: 'text',
  role: 'agent',
  origin: 'agent',
  text: name,
  status: 'sent',
  id: id<ItemId>(name),
  session: id<SessionId>('s'),
  order: 1,
  at: 0,
  digest: name,
});

/** Runs that a test lets appear, speak and go, one step after the other. */
const stage = () => {
  const live = new Map<RunId, RunHandle>();
  const told = new Map<RunId, { seen: Observation[]; ring: () => void }>();
  const of = (run: RunId) => {
    const known = told.get(run) ?? { seen: [], ring: () => undefined };
    told.set(run, known);
    return known;
  };
  const provider: AgentProvider = {
    ...fakeProvider([]),
    discover: async () => [...live.values()],
    async *observe(run, _from, signal) {
      const mine = of(run.id);
      signal.addEventListener('abort', () => mine.ring());
      for (let n = 0; !signal.aborted; ) {
        const seen = mine.seen[n];
        if (seen === undefined) {
          await new Promise<void>((resolve) => {
            mine.ring = resolve;
          });
          continue;
        }
        n++;
        yield seen;
        if (seen.state.name === 'ended') return;
      }
    },
  };
  return {
    provider,
    show: (run: RunHandle): void => void live.set(run.id, run),
    go: (run: RunHandle): void => void live.delete(run.id),
    say: (seen: Observation): void => {
      const mine = of(seen.run.id);
      mine.seen.push(seen);
      mine.ring();
    },
  };
};

describe('the observe loop', () => {
  let rig: HostRig | undefined;
  afterEach(() => rig?.stop.abort());
  const observe = (of: HostRig): void => {
    rig = of;
    void of.host.observe(of.stop.signal, () => undefined);
  };
  /** Lets the loop look for runs so many times more. */
  const look = async (of: HostRig, times: number): Promise<void> => {
    const before = of.looks;
    await expect
      .poll(() => {
        of.hint();
        return of.looks;
      })
      .toBeGreaterThan(before + times - 1);
  };
  const types = (of: HostRig): readonly string[] => of.events.map((event) => event.type);

  it('L1: the cursor moves only after the chat side has committed', async () => {
    const run = aRun();
    const seen = anObservation(run, { cursor: 'c1', items: [item('one')] });
    const of = hostRig(fakeProvider([{ run, seen }]));
    of.refusePublishing = true;
    observe(of);
    await expect.poll(() => of.errors.length).toBeGreaterThan(0);
    expect(of.store.cursor(seen.session as SessionId, run.id)).toBeUndefined();
    of.refusePublishing = false;
    await expect
      .poll(() => of.store.cursor(seen.session as SessionId, run.id), { timeout: 5_000 })
      .toBe('c1');
    expect(types(of)).toEqual(['run', 'items', 'dialog']);
  });

  it('R1: a private run is neither read nor published', async () => {
    const shown = aRun();
    const secret = aRun({ id: id<RunId>('host-2-2'), name: 'private' });
    const of = hostRig(
      fakeProvider([
        { run: secret, seen: anObservation(secret) },
        { run: shown, seen: anObservation(shown) },
      ]),
    );
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    expect(of.events[0]).toMatchObject({ run: { id: shown.id } });
    expect(of.store.run(secret.id)).toBeUndefined();
  });

  it('L4: a run that cannot be read does not hold up another', async () => {
    const good = aRun();
    const bad = aRun({ id: id<RunId>('host-2-2') });
    const of = hostRig(fakeProvider([{ run: bad }, { run: good, seen: anObservation(good) }]));
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    expect(of.errors.length).toBeGreaterThan(0);
  });

  it('R6: a run that ended while nobody looked is read to its end before new ones are shown', async () => {
    const gone = aRun();
    const first = hostRig(fakeProvider([{ run: gone, seen: anObservation(gone) }]));
    observe(first);
    await expect.poll(() => first.store.run(gone.id)?.state.name).toBe('working');
    first.stop.abort();

    const next = aRun({ id: id<RunId>('host-200-9000'), pid: 200, procStart: '9000' });
    const last: Observation = anObservation(gone, {
      state: { name: 'ended', how: 'lost' },
      items: [item('last words')],
    });
    const provider = fakeProvider([
      { run: gone, seen: last },
      { run: next, seen: anObservation(next) },
    ]);
    const second = hostRig({ ...provider, discover: () => Promise.resolve([next]) }, first.store);
    observe(second);
    await expect.poll(() => types(second)).toEqual(['run', 'items', 'dialog', 'run', 'dialog']);
    expect(second.events[0]).toMatchObject({ run: { id: gone.id, state: { how: 'lost' } } });
    expect(second.store.run(gone.id)?.state).toEqual({ name: 'ended', how: 'lost' });
  });

  it('Q5, R6: of a run that ended unseen no open dialog is left, nor who came after it', async () => {
    const gone = aRun();
    const next = aRun({ id: id<RunId>('host-200-9000'), pid: 200, procStart: '9000' });
    const pending = {
      id: id<DialogId>('d'),
      content: { type: 'plan', plan: 'all' },
      since: 0,
      isAnswerable: true,
    } as const;
    const provider = {
      ...fakeProvider([]),
      discover: () => Promise.resolve([next]),
      async *observe(run: RunHandle) {
        if (run.id !== gone.id) return;
        expect(run.endedBefore).toBe(next.startedAt);
        yield anObservation(run, { state: { name: 'ended', how: 'killed' } });
      },
    };
    const of = hostRig(provider);
    const state = { name: 'plan-pending', dialog: pending.id } as const;
    of.store.saveRun({ ...gone, state, title: 't', lastActivityAt: 1, pendingDialog: pending });
    observe(of);
    await expect.poll(() => of.store.run(gone.id)?.state.name).toBe('ended');
    expect(of.store.run(gone.id)).not.toHaveProperty('pendingDialog');
    expect(of.store.run(gone.id)).not.toHaveProperty('endedBefore');
  });

  it('L1, R6: an end that the chat side has not committed is not kept as told', async () => {
    const run = aRun();
    const { provider, show, say } = stage();
    const of = hostRig(provider);
    show(run);
    say(anObservation(run));
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    of.refusePublishing = true;
    say(anObservation(run, { state: { name: 'ended', how: 'killed' } }));
    await expect.poll(() => of.errors.length).toBeGreaterThan(0);
    expect(of.store.run(run.id)?.state.name).toBe('working');
    of.refusePublishing = false;
    await expect.poll(() => of.store.run(run.id)?.state.name, { timeout: 5_000 }).toBe('ended');
    expect(of.events.at(-1)).toMatchObject({ run: { state: { name: 'ended', how: 'killed' } } });
  });

  it('R2: a run that is gone is told to its end before a new one, which may go on with its session', async () => {
    const first = aRun();
    const next = aRun({ id: id<RunId>('host-200-9000'), pid: 200, procStart: '9000' });
    const { provider, show, go, say } = stage();
    const of = hostRig(provider);
    show(first);
    say(anObservation(first));
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    go(first);
    show(next);
    say(anObservation(next));
    // The new run waits for the end of the old one.
    await look(of, 2);
    expect(types(of)).toEqual(['run', 'dialog']);
    say(anObservation(first, { state: { name: 'ended', how: 'exited' } }));
    await expect.poll(() => types(of).length).toBe(5);
    expect(of.events.map((e) => 'run' in e && typeof e.run === 'object' && e.run.id)).toEqual([
      ...[first.id, first.id, first.id],
      ...[next.id, next.id],
    ]);
  });

  it('R1: a run whose name makes it private is followed no longer, and shown nowhere', async () => {
    const run = aRun();
    const { provider, show, say } = stage();
    const of = hostRig(provider);
    show(run);
    say(anObservation(run, { cursor: 'c1' }));
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    show({ ...run, name: 'private' });
    await look(of, 1);
    await expect.poll(() => of.store.run(run.id)?.name, { timeout: 5_000 }).toBe('private');
    say(anObservation(run, { items: [item('a secret')] }));
    await look(of, 2);
    expect(types(of)).toEqual(['run', 'dialog']);
    expect(await of.host.read({ type: 'list' })).toEqual({ type: 'list', runs: [] });
    expect(await of.host.read({ type: 'run', run: run.id })).toEqual({ type: 'run', run: null });
    expect(await of.host.read({ type: 'window', run: run.id, limit: 9 })).toMatchObject({
      window: { items: [], isGone: true },
    });
    // Shown again, it counts as met late: what was said meanwhile is not read back.
    expect(of.store.cursor(run.session as SessionId, run.id)).toBeUndefined();
  });

  it('P5, R1: branch and tmux session are shown as they are now', async () => {
    const run = aRun();
    const { provider, show, say } = stage();
    const of = hostRig(provider);
    show(run);
    say(anObservation(run));
    observe(of);
    await expect.poll(() => types(of)).toEqual(['run', 'dialog']);
    show({ ...run, branch: 'feature', tmuxSession: 'renamed' });
    await look(of, 1);
    await expect.poll(() => types(of), { timeout: 5_000 }).toEqual(['run', 'dialog', 'run']);
    expect(of.events.at(-1)).toMatchObject({ run: { branch: 'feature', tmuxSession: 'renamed' } });
    say(anObservation(run, { items: [item('one')] }));
    await expect.poll(() => types(of)).toEqual(['run', 'dialog', 'run', 'items']);
    expect(of.events.at(-1)).toMatchObject({ run: { branch: 'feature', tmuxSession: 'renamed' } });
  });

  it('R1: a run that the rules of now make private is not read from the store either', async () => {
    const secret = aRun({ id: id<RunId>('host-9-9'), name: 'private' });
    const state = { name: 'ended', how: 'exited' } as const;
    const of = hostRig(fakeProvider([]));
    rig = of;
    const summary = { title: 't', lastActivityAt: 1, transcriptPath: '/t', state };
    of.store.saveRun({ ...secret, ...summary });
    of.store.saveCursor(id<SessionId>('s'), secret.id, 'c', '/t');
    expect(await of.host.read({ type: 'list' })).toEqual({ type: 'list', runs: [] });
    expect(await of.host.read({ type: 'run', run: secret.id })).toEqual({ type: 'run', run: null });
    const gone = { type: 'window', window: { items: [], cursor: '', isGone: true } };
    const window = { type: 'window', run: secret.id, limit: 5 } as const;
    expect(await of.host.read(window)).toEqual(gone);
    expect(await of.host.read({ type: 'changes', run: secret.id, cursor: '' })).toEqual(gone);
    const since = {
      type: 'since',
      run: secret.id,
      session: id<SessionId>('s'),
      offset: 0,
      limit: 5,
    };
    expect(await of.host.read({ ...since, type: 'since' })).toEqual(gone);
  });
});
