import type { DialogAnswer } from '../bridge/model/delivery.ts';
import type { Act, Scenario, Step } from './contract-steps.ts';

const choose = (...options: readonly number[]): DialogAnswer => ({
  type: 'choose',
  choices: [options],
});
const settled: Act = { do: 'wait', ms: 1_000 };
const ask = (script: string): readonly Step[] => [
  { do: 'reply', text: script, expect: 'confirmed' },
  { see: 'dialog', kind: 'question', isAnswerable: true },
];
const answer = (
  given: DialogAnswer,
  holds: string,
  ...lacks: readonly string[]
): readonly Step[] => [
  { do: 'answer', dialog: 'last', answer: given, expect: ['confirmed'] },
  { see: 'told', holds, lacks },
  { see: 'state', is: ['needs-input'] },
];
const declineByHand: readonly Step[] = [
  settled,
  { do: 'press', keys: ['Escape'] },
  { see: 'state', is: ['idle'] },
];

/** Dialogs (D6, Q4, Q7). */
export const dialogScenarios: readonly Scenario[] = [
  {
    name: 'question-holds',
    title: 'an open question holds a reply; nothing reaches the picker',
    means:
      'A reply could choose an answer that nobody meant: do not reply while a question is open.',
    steps: [
      ...ask('#ask'),
      { see: 'screen', shows: 'Green' },
      settled,
      { do: 'reply', text: '2', expect: 'held:dialog' },
      { see: 'still-open' },
      { see: 'received', texts: ['#ask'] },
      ...declineByHand,
    ],
  },
  {
    name: 'answer-choice',
    title: 'a question is answered with the option that was chosen',
    means: 'Questions cannot be answered from a thread: another option or none is chosen.',
    steps: [...ask('#ask'), ...answer(choose(1), 'Green', 'Red', 'Blue')],
  },
  {
    name: 'answer-own-words',
    title: 'a question is answered in own words',
    means: 'Own words do not arrive as the answer to a question.',
    steps: [
      ...ask('#ask'),
      ...answer(
        { type: 'own-words', text: 'neither; take 2 of them' },
        'neither; take 2 of them',
        'Red',
        'Green',
      ),
    ],
  },
  {
    name: 'answer-several',
    title: 'several options are ticked and sent',
    means: 'Questions with several choices cannot be answered from a thread.',
    steps: [...ask('#ask multi'), ...answer(choose(0, 2), 'Cheese, Basil', 'Olives', 'Onion')],
  },
  {
    name: 'another-dialog',
    title: 'an answer to another dialog than the one that is open is refused',
    means: 'A late click could answer a question that it was not meant for.',
    steps: [
      ...ask('#ask'),
      ...declineByHand,
      ...ask('#ask other'),
      { see: 'screen', shows: 'Large' },
      settled,
      {
        do: 'answer',
        dialog: 'earlier',
        answer: choose(0),
        expect: ['refused:already-answered', 'refused:not-that-dialog'],
      },
      {
        do: 'answer',
        dialog: 'unheard-of',
        answer: choose(0),
        expect: ['refused:not-that-dialog'],
      },
      { see: 'still-open' },
      ...answer(choose(1), 'Large', 'Small'),
    ],
  },
  {
    name: 'approval-holds',
    title: 'a pending approval is seen, and nothing is typed into it',
    means:
      'A reply could approve a command that nobody approved: do not use this version unattended.',
    steps: [
      { do: 'reply', text: '#perm touch granted', expect: 'confirmed' },
      { see: 'state', is: ['approval-pending'] },
      { see: 'dialog', kind: 'approval', isAnswerable: false },
      settled,
      { do: 'reply', text: '1', expect: 'held:dialog' },
      { see: 'still-open' },
      { see: 'received', texts: ['#perm touch granted'] },
      ...declineByHand,
    ],
  },
];
