import { afterEach, describe, expect, it } from 'vitest';
import type { TextItem } from '../../../../src/bridge/model/conversation.ts';
import { type ItemId, id, type RunId, type SessionId } from '../../../../src/bridge/model/ids.ts';
import type { Observation } from '../../../../src/bridge/ports/agent-provider.ts';
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

describe('the observe loop', () => {
  let rig: HostRig | undefined;
  afterEach(() => rig?.stop.abort());
  const observe = (of: HostRig): void => {
    rig = of;
    void of.host.observe(of.stop.signal, () => undefined);
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
});
