import type { Script, Step } from '../tui/script.ts';
import { bash, editFile, read } from '../tui/tools.ts';

const invoice = `import { money } from './money.ts';

export const dueDate = (issued: Date, days: number): Date => {
  const due = new Date(issued);
  due.setDate(due.getDate() + days);
  return due;
};

export const total = (lines: readonly Line[]): string =>
  money(lines.reduce((sum, line) => sum + line.cents, 0));
`;

const invoiceAfter = `import { addDays } from './dates.ts';
import { money } from './money.ts';

export const dueDate = (issued: Date, days: number): Date => addDays(issued, days);

export const total = (lines: readonly Line[]): string =>
  money(lines.reduce((sum, line) => sum + line.cents, 0));
`;

const reminder = `export const remindOn = (due: Date): Date => {
  const day = new Date(due);
  day.setDate(day.getDate() + 14);
  return day;
};
`;

const reminderAfter = `import { addDays } from './dates.ts';

export const remindOn = (due: Date): Date => addDays(due, 14);
`;

const firstTurn: readonly Step[] = [
  { type: 'wait', ms: 1200 },
  { type: 'say', text: "I'll look at both places first.", ms: 600 },
  read('src/invoice.ts', invoice),
  read('src/reminder.ts', reminder),
  bash('grep -rn "setDate" src', 900, 'src/invoice.ts:5\nsrc/reminder.ts:3'),
  {
    type: 'think',
    text: 'Two copies of the same day arithmetic. One function with a name is enough.',
  },
  {
    type: 'say',
    text: 'Both do the same thing: add days to a copy of a date. I move that into `src/dates.ts` and use it twice.',
    ms: 1600,
  },
  editFile('src/invoice.ts', invoice, invoiceAfter),
  editFile('src/reminder.ts', reminder, reminderAfter),
  bash('npm test', 3500, ' Test Files  6 passed (6)\n      Tests  41 passed (41)'),
  {
    type: 'say',
    text: `Done. The day arithmetic lives in one place now:

| file | before | after |
|---|---|---|
| \`src/dates.ts\` | – | \`addDays(date, days)\` |
| \`src/invoice.ts\` | 5 lines of its own | calls \`addDays\` |
| \`src/reminder.ts\` | 5 lines of its own | calls \`addDays\` |

All 41 tests pass. Shall I add a test for the change of summer time as well?`,
    ms: 2500,
  },
];

/** Works through a small refactoring and ends its turn; answers what people say to it. */
export const refactoring: Script = {
  name: 'refactoring',
  isLoop: false,
  scenes: [
    {
      afterMs: 1500,
      prompt:
        'invoice.ts and reminder.ts both calculate dates by hand. Please move that to one place.',
      steps: firstTurn,
    },
  ],
  reply: [
    { type: 'wait', ms: 1200 },
    bash('git status --short', 800, ' M src/invoice.ts\n M src/reminder.ts\n?? src/dates.ts'),
    {
      type: 'say',
      text: 'Your message has arrived: “{prompt}”\n\nThis is the scripted agent of the demo, so that is all I do with it. A real agent would start on it now.',
      ms: 2000,
    },
  ],
};
