import type { Script } from '../tui/script.ts';
import { approvedBash, bash } from '../tui/tools.ts';

/** Wants an approval before it touches the database, then ends its turn. `cwd` is what the dialog names. */
export const approvalIn = (cwd: string): Script => ({
  name: 'approval',
  isLoop: false,
  scenes: [
    {
      afterMs: 4000,
      prompt: 'Please bring the staging database up to date, and check it afterwards.',
      steps: [
        { type: 'wait', ms: 1500 },
        bash(
          'npm run migrate -- --status',
          1500,
          'at 0041_orders_by_day\npending: 0042_invoice_due_index',
        ),
        {
          type: 'say',
          text: 'One migration is pending: it adds an index on `invoice.due_at` and locks the table for about a second. I ask before I run it.',
          ms: 1500,
        },
        approvedBash(
          'npm run migrate -- --to 0042',
          cwd,
          'applied 0042_invoice_due_index in 1.2 s',
        ),
        bash('npm run migrate -- --status', 1200, 'at 0042_invoice_due_index\npending: none'),
        {
          type: 'say',
          text: 'The staging database is up to date: `0042_invoice_due_index` took 1.2 s, nothing is pending.',
          ms: 1200,
        },
      ],
    },
  ],
  reply: [
    { type: 'wait', ms: 900 },
    {
      type: 'say',
      text: 'I have read “{prompt}”. (The scripted agent of the demo; try `#ask`, `#ask multi`, `#perm ls` or `#slow 20` to see more of it.)',
      ms: 1200,
    },
  ],
});
