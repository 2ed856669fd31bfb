import type { OutboundMessage } from '../../src/bridge/model/chat.ts';
import { type DialogId, id } from '../../src/bridge/model/ids.ts';

export const text = (markdown: string): OutboundMessage => ({
  type: 'text',
  author: 'agent',
  markdown,
});

/** A message of every kind, small and large. */
export const samples: readonly OutboundMessage[] = [
  { type: 'head', title: 'Fix it', lines: ['⚙️ working', '📁 /w/app'] },
  text('plain'),
  text('**bold** `code`\n\n```ts\nconst x = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'),
  text(`\`\`\`\n${'long code line\n'.repeat(400)}\`\`\``),
  text('word '.repeat(5_000)),
  text('👩‍👩‍👧‍👦 שלום <@U123> @everyone & <script>'),
  { type: 'text', author: 'user', by: 'Alice', markdown: 'please' },
  { type: 'activity', lines: ['✓ Bash `ls`', '⏳ Read `x`'], details: '```\nout\n```' },
  {
    type: 'dialog',
    dialog: id<DialogId>('d1'),
    markdown: '❓ **Colour**: which?',
    buttons: [
      { label: 'Red', answer: { type: 'choose', choices: [[0]] } },
      { label: 'x'.repeat(300), answer: { type: 'choose', choices: [[1]] } },
    ],
    takesOwnWords: true,
    isOpen: true,
  },
  { type: 'lifecycle', markdown: '🧹 Cleared' },
  {
    type: 'notice',
    markdown: '⏸ held',
    buttons: [{ label: 'Continue', action: { type: 'continue' } }],
  },
  { type: 'file', name: 'missed.md', summary: '📎 41 items', content: 'x'.repeat(100_000) },
];
