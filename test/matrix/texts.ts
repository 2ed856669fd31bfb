import type { Scene } from './scene.ts';

/** One text of the matrix. */
export interface MatrixText {
  readonly name: string;
  readonly text: string;
  /** What the model must get, to the character; absent: the text itself. */
  readonly received?: string;
  /** The same, from the agent's own queue. */
  readonly receivedQueued?: string;
  /** It arrives as pasted content, and the receipt says so. */
  readonly isWrapped?: boolean;
  /** Refused before a key, with this reason, whatever the state. */
  readonly refused?: 'command' | 'backslashes';
  /** The agent's own queue would run it as a command: held while a turn runs. */
  readonly isForIdle?: boolean;
  /** Seconds that the running turn must still have when it comes. */
  readonly streamSeconds?: number;
  /** What is done by hand before it comes, while idle. */
  readonly beforeIdle?: (scene: Scene) => Promise<void>;
  /** The same while a turn streams. */
  readonly beforeStreaming?: (scene: Scene) => Promise<void>;
}

const words = (characters: number): string => {
  let text = '';
  for (let i = 0; text.length <= characters; i++) text += `word${i} `;
  return text.slice(0, characters).replace(/ $/, '.');
};

const lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => `${i + 1}. line of ${count}`).join('\n');

const SAID_BEFORE = 'Said twice, and meant twice.';
const FIRST_IN_LINE = 'First in line.';

/** The text that the states are tried with. */
export const PLAIN_TEXT: MatrixText = { name: '300 characters', text: words(300) };

export const TEXTS: readonly MatrixText[] = [
  { name: 'one word', text: 'continue' },
  PLAIN_TEXT,
  { name: '2 kB', text: words(2_000) },
  { name: '20 kB', text: words(20_000), streamSeconds: 8 },
  { name: '200 kB', text: words(200_000), isWrapped: true, streamSeconds: 8 },
  { name: '3 lines', text: lines(3) },
  { name: '30 lines', text: lines(30), streamSeconds: 5 },
  { name: 'trailing newlines', text: 'three of them\n\n\n', received: 'three of them' },
  { name: 'leading /path', text: '/etc/hosts is a file' },
  {
    name: 'leading unknown /word',
    text: '/clearly not a command',
    received: ' /clearly not a command',
    isForIdle: true,
  },
  { name: 'space before an unknown /word', text: ' /clearly not a command', isForIdle: true },
  { name: 'leading known /command', text: '/clear now', refused: 'command' },
  { name: 'leading !', text: '!touch never-run', received: ' !touch never-run', isForIdle: true },
  { name: 'space before !', text: '  !touch never-run', isForIdle: true },
  {
    name: 'leading spaces',
    text: '   three spaces before it',
    receivedQueued: 'three spaces before it',
  },
  {
    name: 'leading lines',
    text: '\n\n  two lines and two spaces before it',
    receivedQueued: 'two lines and two spaces before it',
  },
  { name: 'leading #', text: '# note to nobody' },
  { name: 'leading @file', text: '@notes.txt is the file' },
  { name: 'trailing @file', text: 'look at @notes.txt' },
  { name: 'trailing \\', text: 'ends with \\' },
  { name: 'trailing \\\\', text: 'ends with \\\\', refused: 'backslashes' },
  { name: 'trailing ;', text: 'ends with ;' },
  { name: 'emoji with joiners', text: 'family 👩‍👩‍👧‍👦, thumbs 👍🏽, flag 🇩🇪, heart ❤️‍🔥' },
  { name: 'CJK', text: '漢字とかなを混ぜた長い文を送る。'.repeat(12) },
  { name: 'RTL', text: 'שלום עולם, זו הודעה ארוכה. مرحبا بالعالم، هذه رسالة.' },
  { name: 'tabs', text: 'a\tb\t\tc', received: 'a    b        c' },
  {
    name: 'NFD',
    text: 'Cafe\u0301 u\u0308ber n\u0303u'.normalize('NFD'),
    received: 'Cafe\u0301 u\u0308ber n\u0303u'.normalize('NFC'),
  },
  {
    name: 'ESC inside',
    text: 'a \u001b[31mred\u001b[0m word and \u001bbare',
    received: 'a red word and bare',
  },
  {
    name: 'ESC[201~ inside',
    text: 'before\u001b[201~\rafter \u001b[201~ once more',
    received: 'before\nafter  once more',
  },
  { name: '^C and ^D inside', text: 'a\u0003b\u0004c\u0003\u0003', received: 'abc' },
  {
    name: 'the previous message',
    text: SAID_BEFORE,
    beforeIdle: (scene) => scene.sayByHand(SAID_BEFORE),
    beforeStreaming: (scene) => scene.queueByHand(SAID_BEFORE),
  },
  {
    name: 'the placeholder',
    text: 'Press up to edit queued messages',
    beforeStreaming: (scene) => scene.queueByHand(FIRST_IN_LINE, /Press up to edit/),
  },
];
