import type { Scenario, Step } from './contract-steps.ts';

const arrives = (text: string, received = text): readonly Step[] => [
  { do: 'reply', text, expect: 'confirmed' },
  { see: 'received', texts: [received] },
  { see: 'state', is: ['needs-input'] },
];
const altered = 'Such a reply does not reach this Claude Code as it was written, or without proof.';

/** Replies (D1, D2, D3, D5). */
export const replyScenarios: readonly Scenario[] = [
  {
    name: 'reply-short',
    title: 'a short reply arrives, with proof',
    means: 'Replies do not work with this Claude Code: they are lost, altered or without proof.',
    steps: arrives('hello there'),
  },
  {
    name: 'reply-2-kb',
    title: 'a reply of 2 kB arrives unaltered',
    means: `Long replies do not work. ${altered}`,
    steps: arrives(
      Array.from({ length: 400 }, (_, i) => `w${i}`)
        .join(' ')
        .slice(0, 2_000),
    ),
  },
  {
    name: 'reply-lines',
    title: 'a reply of three lines arrives as one message',
    means: `Replies of several lines are sent in pieces or altered. ${altered}`,
    steps: arrives('the first line\n\nthe third, after an empty one'),
  },
  {
    name: 'reply-bang',
    title: 'a leading ! is text and runs nothing',
    means: 'A reply that begins with ! could run as a shell command: do not send such replies.',
    steps: arrives('!echo is not run', ' !echo is not run'),
  },
  {
    name: 'reply-backslash',
    title: 'a trailing backslash is text',
    means: 'A reply that ends with a backslash is not sent, or loses it.',
    steps: arrives('it ends with \\'),
  },
  {
    name: 'reply-command',
    title: 'a command of the agent is refused before a key',
    means: 'A reply that begins with a slash could run as a command of the agent.',
    steps: [
      { do: 'reply', text: '/clear now', expect: 'refused:command' },
      { see: 'not-on-screen', text: '/clear now' },
      { see: 'received', texts: [] },
    ],
  },
  {
    name: 'reply-queued',
    title: 'while the agent streams a reply is queued, then confirmed',
    means:
      'A reply to a working agent is shown as sent although it is not, or the other way round.',
    steps: [
      { do: 'reply', text: '#slow 6 tick', expect: 'confirmed' },
      { see: 'state', is: ['working'] },
      { see: 'screen', shows: 'tick 1' },
      { do: 'reply', text: 'and then this', expect: 'queued' },
      { see: 'moved-on', text: 'and then this' },
      { see: 'received', texts: ['#slow 6 tick', 'and then this'] },
      { see: 'state', is: ['needs-input'] },
    ],
  },
  {
    name: 'foreign-draft',
    title: 'a person’s draft holds a reply and stays untouched',
    means: 'What somebody is typing at the terminal could be sent along with a reply, or lost.',
    steps: [
      { do: 'type', text: 'half a thought' },
      { see: 'screen', shows: 'half a thought' },
      { do: 'reply', text: 'patient reply', expect: 'held:foreign-draft' },
      { see: 'screen', shows: 'half a thought' },
      { see: 'not-on-screen', text: 'patient' },
      { see: 'received', texts: [] },
      { do: 'press', keys: ['C-u'] },
      ...arrives('patient reply'),
    ],
  },
  {
    name: 'copy-mode',
    title: 'copy mode is left, and the reply arrives',
    means: 'A pane in which somebody scrolls takes no replies.',
    steps: [{ do: 'scroll' }, ...arrives('out of copy mode')],
  },
];
