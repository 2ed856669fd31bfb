import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeliveryOutcome } from '../../../../src/bridge/model/delivery.ts';
import { FakeClock } from '../../../fakes/fake-clock.ts';
import { FakeHost } from '../../../fakes/fake-link.ts';
import { OTHER, RUN, startChatSide } from './chat-side.ts';

const held: DeliveryOutcome = { status: 'held', reason: { why: 'foreign-draft' } };

type Step =
  | { readonly do: 'say'; readonly run: typeof RUN }
  | { readonly do: 'twice' | 'crash' | 'lose' | 'hold' | 'free' | 'down' | 'up' }
  | { readonly do: 'wait'; readonly ms: number };

const step = fc.oneof(
  fc.record({ do: fc.constant('say' as const), run: fc.constantFrom(RUN, OTHER) }),
  fc.record({ do: fc.constantFrom('twice', 'crash', 'lose', 'hold', 'free', 'down', 'up') }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 90_000 }) }),
) as fc.Arbitrary<Step>;

test('O13 L1 whatever crashes, is lost, held or told twice: each reply is typed at most once, in order, and settled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const dir = mkdtempSync(join(tmpdir(), 'afk-crash-'));
      const clock = new FakeClock();
      const host = new FakeHost(() => clock.now());
      let side = startChatSide(dir, clock, host);
      let said = 0;
      try {
        for (const one of steps) {
          switch (one.do) {
            case 'say':
              said += 1;
              await side.say(`k${said}`, { type: 'reply', text: `${said}` }, one.run);
              break;
            case 'twice':
              if (said > 0) await side.say(`k${said}`, { type: 'reply', text: 'again' }, RUN);
              break;
            case 'crash':
              await side.stop();
              side = startChatSide(dir, clock, host);
              break;
            case 'lose':
              host.losesAnswers = !host.losesAnswers;
              break;
            case 'hold':
              host.set(RUN, held);
              break;
            case 'free':
              host.set(RUN, { status: 'confirmed' });
              break;
            case 'down':
            case 'up':
              host.isDown = one.do === 'down';
              break;
            case 'wait':
              await clock.advance(one.ms);
              break;
          }
          await clock.advance(0);
        }
        host.isDown = false;
        host.losesAnswers = false;
        host.set(RUN, { status: 'confirmed' });
        await clock.advance(180_000);

        const typed = (run: string) =>
          host.typed
            .filter((line) => line.startsWith(`${run}: `))
            .map((line) => Number(line.split(': ')[1]));
        for (const run of [RUN, OTHER]) {
          const lines = typed(run);
          expect(new Set(lines).size).toBe(lines.length);
          expect(lines).toEqual([...lines].sort((a, b) => a - b));
          for (const view of side.views(run))
            expect(['confirmed', 'refused']).toContain(view.outcome.status);
        }
        const views = [...side.views(RUN), ...side.views(OTHER)];
        expect(views).toHaveLength(said);
        // What is shown as confirmed was typed, and the other way round.
        expect(views.filter((v) => v.outcome.status === 'confirmed')).toHaveLength(
          host.typed.length,
        );
        expect(side.errors).toEqual([]);
      } finally {
        await side.stop();
        rmSync(dir, { recursive: true, force: true });
      }
    }),
    { numRuns: 40 },
  );
}, 60_000);
