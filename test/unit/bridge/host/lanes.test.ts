import { expect, it } from 'vitest';
import { Lanes } from '../../../../src/bridge/host/lanes.ts';
import { id, type RunId } from '../../../../src/bridge/model/ids.ts';

const run = id<RunId>('r');
const gate = (): { open: () => void; wait: Promise<void> } => {
  let open = (): void => undefined;
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, wait };
};

it('D8: one at a time per run; control goes before every waiting reply', async () => {
  const lanes = new Lanes();
  const log: string[] = [];
  const first = gate();
  const all = [
    lanes.alone(run, 'reply', async () => {
      await first.wait;
      log.push('reply 1');
    }),
    lanes.alone(run, 'reply', async () => void log.push('reply 2')),
    lanes.alone(run, 'control', async () => void log.push('interrupt')),
  ];
  first.open();
  await Promise.all(all);
  expect(log).toEqual(['reply 1', 'interrupt', 'reply 2']);
});

it('D8: different runs do not wait for each other, and a failure frees the lane', async () => {
  const lanes = new Lanes();
  const blocked = gate();
  const slow = lanes.alone(run, 'reply', () => blocked.wait);
  await expect(lanes.alone(id<RunId>('other'), 'reply', async () => 'done')).resolves.toBe('done');
  await expect(
    lanes.alone(id<RunId>('third'), 'reply', async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  await expect(lanes.alone(id<RunId>('third'), 'reply', async () => 'free')).resolves.toBe('free');
  blocked.open();
  await slow;
});
