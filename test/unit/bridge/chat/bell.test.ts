import { expect, test } from 'vitest';
import { Bell } from '../../../../src/bridge/chat/bell.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';

const never = new AbortController().signal;

test('a ring while nobody waits is not lost, and counts once', async () => {
  const clock = new FakeClock();
  const bell = new Bell();
  bell.ring();
  bell.ring();
  await bell.wait(clock, 1_000, never);
  let isAwake = false;
  const second = bell.wait(clock, 1_000, never).then(() => {
    isAwake = true;
  });
  await clock.advance(999);
  expect(isAwake).toBe(false);
  await clock.advance(1);
  await second;
});

test('a ring wakes at once; so does the end', async () => {
  const clock = new FakeClock();
  const bell = new Bell();
  const rung = bell.wait(clock, 60_000, never);
  bell.ring();
  await rung;
  const end = new AbortController();
  const waiting = bell.wait(clock, 60_000, end.signal);
  end.abort();
  await waiting;
  await bell.wait(clock, 60_000, end.signal);
});
