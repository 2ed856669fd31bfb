import type { Scenario } from './contract-steps.ts';

/** A run is found; turns are stopped, taken back, and left behind (R1, R2, D3, I2). */
export const foundScenario: Scenario = {
  name: 'found',
  title: 'a run is found, with its directory and state',
  means:
    'Runs of this Claude Code are not found, or shown wrongly: the bridge is of no use with it.',
  steps: [{ see: 'found' }, { see: 'state', is: ['idle'] }, { see: 'received', texts: [] }],
};

export const turnScenarios: readonly Scenario[] = [
  {
    name: 'interrupt',
    title: 'an interrupt stops the turn that was named, with proof',
    means: 'Interrupts do not stop the agent, or stop something else.',
    steps: [
      { do: 'reply', text: '#slow 30 tock', expect: 'confirmed' },
      { see: 'state', is: ['working'] },
      { see: 'screen', shows: 'tock 3' },
      { do: 'interrupt', expect: 'confirmed' },
      { see: 'cut-off' },
      { see: 'state', is: ['idle'] },
      { do: 'interrupt', expect: 'refused:already-finished' },
      { see: 'received', texts: ['#slow 30 tock'] },
    ],
  },
  {
    name: 'un-sent',
    title: 'a reply that Escape takes back is noticed, and the next one goes alone',
    means: 'A reply that somebody took back at the terminal is still shown as delivered.',
    steps: [
      { do: 'reply', text: '#hang', expect: 'confirmed' },
      { see: 'state', is: ['working'] },
      { do: 'press', keys: ['Escape'] },
      { see: 'state', is: ['idle', 'needs-input'] },
      { see: 'screen', shows: '#hang' },
      { do: 'resolve', expect: 'returned' },
      { do: 'reply', text: 'arrives alone', expect: 'confirmed' },
      { see: 'received', texts: ['#hang', 'arrives alone'] },
      { see: 'state', is: ['needs-input'] },
    ],
  },
  {
    name: 'cleared',
    title: '/clear at the terminal: the new session is followed',
    means: 'After /clear a run is lost from sight, or replies go without proof.',
    steps: [
      { do: 'reply', text: 'before it is cleared', expect: 'confirmed' },
      { see: 'state', is: ['needs-input'] },
      { do: 'type', text: '/clear' },
      { see: 'screen', shows: '/clear' },
      { do: 'press', keys: ['Enter'] },
      { see: 'cleared' },
      { do: 'reply', text: 'after it was cleared', expect: 'confirmed' },
      { see: 'received', texts: ['before it is cleared', 'after it was cleared'] },
      { see: 'state', is: ['needs-input'] },
    ],
  },
];
