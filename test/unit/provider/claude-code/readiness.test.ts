import { describe, expect, it } from 'vitest';
import { readinessOf, type Sighting } from '../../../../src/provider/claude-code/readiness.ts';
import type { Draft, ScreenReading } from '../../../../src/provider/claude-code/screen-reading.ts';
import type { PaneStatus } from '../../../../src/provider/tmux/formats.ts';
import { fakeEntry, fakeStatus } from '../../../fakes/fake-agent.ts';

const box = (
  draft: Draft = { type: 'empty' },
  mode: 'prompt' | 'shell' = 'prompt',
): ScreenReading => ({
  kind: 'box',
  draft,
  mode,
  isBusy: false,
  queued: [],
  popup: 'none',
  isVimInsert: false,
});
const words = (text: string): Draft => ({
  type: 'text',
  text,
  compact: text,
  chips: [],
  isClipped: false,
});
const sight = (more: Partial<Sighting> = {}, pane: Partial<PaneStatus> = {}): Sighting => ({
  process: { isAlive: true, isStopped: false, isInFront: true },
  registry: fakeEntry(),
  look: { found: true, status: { ...fakeStatus, ...pane }, screen: '' },
  screen: box(),
  ...more,
});
const verdict = (seen: Sighting, own: readonly string[] = []): string => {
  const ready = readinessOf(seen, own);
  const outcome =
    ready.may === 'not' ? ready.outcome : ready.may === 'look-again' ? ready.otherwise : undefined;
  const reason =
    outcome?.status === 'held' || outcome?.status === 'refused'
      ? ` ${outcome.status} ${outcome.reason.why}`
      : '';
  return ready.may + reason;
};
const process = { isAlive: true, isStopped: false, isInFront: true };

describe('S14 S15 D07 D2, S1: nothing is typed blind', () => {
  it.each([
    ['idle with an empty box', sight(), 'type'],
    ['busy with an empty box', sight({ registry: fakeEntry({ status: 'busy' }) }), 'type'],
    ['a dim placeholder', sight({ screen: box({ type: 'placeholder', text: 'hello' }) }), 'type'],
    [
      'the process is gone',
      sight({ process: { ...process, isAlive: false } }),
      'not refused ended',
    ],
    [
      'the process is suspended',
      sight({ process: { ...process, isStopped: true } }),
      'not refused unreachable',
    ],
    [
      'a shell is in front',
      sight({ process: { ...process, isInFront: false } }),
      'not refused unreachable',
    ],
    ['no such pane', sight({ look: { found: false, why: 'no-pane' } }), 'not refused pane-gone'],
    [
      'R3: the pane id of another server',
      sight({ look: { found: false, why: 'other-server' } }),
      'not refused pane-gone',
    ],
    ['a dead pane', sight({}, { isDead: true }), 'not refused pane-gone'],
    ['copy mode', sight({}, { isInMode: true }), 'leave-mode'],
    ['synchronized panes', sight({}, { isSynchronized: true }), 'not refused unreachable'],
    ['a torn registry file', sight({ registry: 'unreadable' }), 'look-again held starting'],
    ['no registry file yet', sight({ registry: 'absent' }), 'not held starting'],
    [
      'the trust dialog',
      sight({ registry: 'absent', screen: { kind: 'blocked', cause: 'trust', basis: 'seen' } }),
      'not held blocked',
    ],
    [
      'a question, on the registry’s word alone',
      sight({ registry: fakeEntry({ status: 'waiting', waitingFor: 'input needed' }) }),
      'not held dialog',
    ],
    [
      'an approval that is held back while the box still shows',
      sight({ registry: fakeEntry({ status: 'waiting', waitingFor: 'permission prompt' }) }),
      'not held dialog',
    ],
    [
      'a dialog that comes: the first of the two writes',
      sight({ registry: fakeEntry({ status: 'busy', waitingFor: 'input needed' }) }),
      'not held dialog',
    ],
    [
      'a menu',
      sight({ registry: fakeEntry({ status: 'waiting', waitingFor: 'dialog open' }) }),
      'not held blocked',
    ],
    [
      'ctrl+o while the registry says idle',
      sight({ screen: { kind: 'blocked', cause: 'transcript-view', basis: 'seen' } }),
      'not held blocked',
    ],
    ['a person’s draft', sight({ screen: box(words('half a thou')) }), 'not held foreign-draft'],
    ['shell mode', sight({ screen: box({ type: 'empty' }, 'shell') }), 'not held foreign-draft'],
    [
      'a screen that nobody knows',
      sight({ screen: { kind: 'blocked', cause: 'unknown-screen', basis: 'none' } }),
      'look-again held blocked',
    ],
    ['a blank screen', sight({ screen: { kind: 'blank' } }), 'look-again held blocked'],
    [
      'an unknown status',
      sight({ registry: fakeEntry({ status: 'unknown' }) }),
      'not held blocked',
    ],
  ])('%s', (_, seen, expected) => {
    expect(verdict(seen)).toBe(expected);
  });

  it('D5: our own returned draft is cleared, a changed one is a person’s', () => {
    expect(verdict(sight({ screen: box(words('ours')) }), ['ours'])).toBe('clear');
    expect(verdict(sight({ screen: box(words('ours!')) }), ['ours'])).toBe(
      'not held foreign-draft',
    );
  });
});
