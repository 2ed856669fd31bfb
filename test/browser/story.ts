import type { DeliveryView } from '../../src/bridge/model/chat.ts';
import { type DeliveryId, type DialogId, id, type TurnId } from '../../src/bridge/model/ids.ts';
import type { FakeRuns } from './fake-runs.ts';

const MINUTE = 60_000;

/** A page full of life: every kind of item, state, dialog and receipt. */
export const tell = (runs: FakeRuns) => {
  const now = Date.now();
  const shop = runs.add('h-1-1', {
    title: 'Make the checkout survive a lost connection',
    branch: 'feat/checkout-retry',
    state: { name: 'question-pending', dialog: id<DialogId>('q1') },
    pendingDialog: {
      id: id<DialogId>('q1'),
      since: now,
      isAnswerable: true,
      content: {
        type: 'question',
        questions: [
          {
            question: 'Where shall pending orders be kept while the shop is offline?',
            header: 'Storage',
            multiSelect: false,
            options: [
              {
                label: 'IndexedDB',
                description: 'Survives a reload; works in every browser we support',
              },
              { label: 'localStorage', description: 'Simple, but blocks and is limited to 5 MB' },
              { label: 'Memory only', description: 'Lost when the tab closes' },
            ],
          },
        ],
      },
    },
    attachCommand: 'tmux attach -t shop',
  });
  runs.say(
    shop,
    {
      kind: 'text',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'Customers lose their cart when the train enters a tunnel. Make the checkout survive that, with tests.',
    },
    now - 9 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'text',
      role: 'agent',
      origin: 'thinking',
      status: 'sent',
      text: 'The order is posted directly. I should look for a queue first.',
    },
    now - 9 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      text: 'I’ll look at how orders are posted today.',
    },
    now - 8 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'tool',
      name: 'Grep',
      summary: 'postOrder\\(',
      input: '{"pattern":"postOrder\\\\("}',
      status: 'done',
      output: 'src/checkout.ts:41\nsrc/cart.ts:12',
    },
    now - 8 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'tool',
      name: 'Edit',
      summary: 'src/checkout.ts',
      input: '{"file":"src/checkout.ts"}',
      status: 'done',
      output: 'ok',
      diff: '--- a/src/checkout.ts\n+++ b/src/checkout.ts\n@@ -38,6 +38,9 @@ export const checkout = async (cart) => {\n   validate(cart);\n-  await postOrder(cart);\n+  const order = toOrder(cart);\n+  await pending.put(order);\n+  await flush(pending);\n   return done();',
    },
    now - 7 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'tool',
      id: 'task.0',
      name: 'Agent',
      summary: 'Find every caller of postOrder',
      input: '{"prompt":"find callers"}',
      status: 'done',
      output: 'Two callers.',
    },
    now - 7 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'tool',
      parent: 'task.0' as never,
      name: 'Grep',
      summary: 'postOrder',
      input: '{}',
      status: 'done',
      output: '2 hits',
    },
    now - 7 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'tool',
      name: 'Bash',
      summary: 'npm test -- checkout',
      input: '{"command":"npm test -- checkout"}',
      status: 'failed',
      output:
        '\u001b[31m1 failed\u001b[0m, 11 passed\n  ✕ keeps the order when the network is gone',
    },
    now - 6 * MINUTE,
  );
  runs.say(
    shop,
    {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      text: 'The retry works, **one test still fails**. What changed:\n\n| File | What | Lines |\n|:--|:--|--:|\n| `src/checkout.ts` | writes the order down *before* posting it | +3 −1 |\n| `src/pending.ts` | new: a small store with `put`, `take` and `flush` | +48 |\n\n```ts\nexport const flush = async (store: Pending) => {\n  for (const order of await store.all()) await post(order); // the same key each time, so it arrives once\n};\n```\n\n1. Orders are kept under a key of their own\n2. The server drops doubles by that key\n   - checked in `orders.test.ts`\n   - see https://example.org/idempotency\n\nשלום, this line starts in Hebrew.\n\n- [x] keep the order\n- [ ] choose where\n\n> Before I go on I need to know where they are kept.',
    },
    now - 5 * MINUTE,
  );

  const api = runs.add('h-2-2', {
    title: 'Upgrade the API to v5',
    cwd: '/home/ann/projects/api',
    branch: 'main',
    state: { name: 'working', turn: id<TurnId>('turn-api') },
    lastActivityAt: now - 20_000,
  });
  runs.say(
    api,
    {
      kind: 'text',
      id: 'turn-api.0',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'Upgrade express to v5 and fix what breaks',
    },
    now - 3 * MINUTE,
  );
  runs.say(
    api,
    {
      kind: 'tool',
      name: 'Bash',
      summary: 'npm i express@5',
      input: '{"command":"npm i express@5"}',
      status: 'done',
      output: 'added 12',
    },
    now - 2 * MINUTE,
  );
  runs.say(
    api,
    {
      kind: 'tool',
      name: 'Bash',
      summary: 'npm test',
      input: '{"command":"npm test"}',
      status: 'running',
    },
    now - MINUTE,
  );
  const say = (
    n: number,
    text: string,
    outcome: DeliveryView['outcome'],
    more: Partial<DeliveryView> = {},
  ): DeliveryView => ({
    id: id<DeliveryId>(`d${n}`),
    run: api,
    kind: 'reply',
    by: 'the web page',
    text,
    outcome,
    actions: [],
    eventKey: `web:k${n}`,
    createdAt: now - 1000 * (60 - n),
    updatedAt: now,
    ...more,
  });
  runs.deliveries.set(api, [
    say(1, 'Also bump the types.', { status: 'queued' }, { mark: '🕓' }),
    say(
      2,
      'And tell me when the tests are green',
      { status: 'held', reason: { why: 'foreign-draft' } },
      {
        mark: '⏸',
        actions: ['discard'],
        explanation:
          'Waiting: somebody has started typing at the terminal (`tmux attach -t api`). Their text stays untouched; this goes once their box is empty.',
      },
    ),
    say(
      3,
      'Use pnpm instead',
      { status: 'returned', reason: 'Escape at the terminal took it back' },
      {
        mark: '↩',
        actions: ['send-again', 'discard'],
        explanation:
          'Back in the input box, not sent: Escape at the terminal took it back. Send again types it anew, Discard drops it.',
      },
    ),
    say(
      4,
      'Now deploy',
      {
        status: 'unknown',
        reason: 'x',
        screen:
          '╭──────────────────────╮\n│ > Now deploy         │\n╰──────────────────────╯\n  ? for shortcuts',
      },
      {
        mark: '❓',
        explanation:
          'Typed, but there is no proof that it arrived: no record came within 20 s. Look at its screen before you write it again; it is never typed twice by itself.',
      },
    ),
  ]);

  runs.add('h-3-3', {
    title: 'Nightly dependency audit',
    cwd: '/home/ann/ops/audit',
    state: { name: 'blocked', cause: 'usage-limit' },
    lastActivityAt: now - 44 * MINUTE,
  });
  const plan = runs.add('h-4-4', {
    title: 'Split the monolith’s mail module',
    cwd: '/home/ann/projects/mail',
    branch: 'refactor/mail',
    state: { name: 'plan-pending', dialog: id<DialogId>('p1') },
    lastActivityAt: now - 4 * MINUTE,
    pendingDialog: {
      id: id<DialogId>('p1'),
      since: now,
      isAnswerable: false,
      content: {
        type: 'plan',
        plan: '# Plan\n\n1. Move `templates/`\n2. Add a queue\n3. Delete the old module',
      },
    },
    deepLink: 'https://claude.ai/code/session_0123',
    attachCommand: 'tmux attach -t mail',
  });
  runs.say(
    plan,
    {
      kind: 'text',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'Plan how to split the mail module',
    },
    now - 6 * MINUTE,
  );
  runs.add('h-5-5', {
    title: 'Write release notes',
    cwd: '/home/ann/projects/shop',
    state: { name: 'needs-input' },
    lastActivityAt: now - 12 * MINUTE,
  });
  runs.add('h-6-6', {
    title: 'scratch',
    cwd: '/home/ann',
    state: { name: 'idle' },
    lastActivityAt: now - 90 * MINUTE,
  });
  const ended = runs.add('h-7-7', {
    title: 'Fix the flaky login test',
    cwd: '/home/ann/projects/shop',
    state: { name: 'ended', how: 'exited' },
    lastActivityAt: now - 30 * 60 * MINUTE,
    resumeCommand: 'claude --resume 0a1b2c3d-4e5f',
  });
  runs.say(
    ended,
    {
      kind: 'text',
      role: 'user',
      origin: 'person',
      status: 'sent',
      text: 'Fix the flaky login test',
    },
    now - 31 * 60 * MINUTE,
  );
  runs.say(
    ended,
    {
      kind: 'text',
      role: 'agent',
      origin: 'agent',
      status: 'sent',
      endsTurn: true,
      text: 'Fixed: it waited 100 ms where it should wait for the button.',
    },
    now - 30 * 60 * MINUTE,
  );
  runs.say(
    ended,
    { kind: 'lifecycle', event: 'api-error', text: 'Overloaded; tried again' },
    now - 30 * 60 * MINUTE,
  );
  runs.say(ended, { kind: 'lifecycle', event: 'compacted', text: '' }, now - 30 * 60 * MINUTE);
  runs.say(
    ended,
    { kind: 'lifecycle', event: 'command', text: '/context', detail: 'Context: 12k of 200k' },
    now - 30 * 60 * MINUTE,
  );
  return { shop, api, plan, ended };
};
