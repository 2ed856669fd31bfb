import { createHash } from 'node:crypto';
import type {
  DialogItem,
  Item,
  LifecycleItem,
  TextItem,
  ToolItem,
} from '../../../../src/bridge/model/conversation.ts';
import {
  type DialogId,
  type ItemId,
  id,
  type RunId,
  type SessionId,
} from '../../../../src/bridge/model/ids.ts';
import type { PendingDialog, RunSummary } from '../../../../src/bridge/model/run-state.ts';

type Patch<T> = Partial<Omit<T, 'kind' | 'id' | 'parent' | 'session'>> & {
  readonly parent?: string;
  readonly session?: string;
};

const digestOf = (item: object): string =>
  createHash('sha1').update(JSON.stringify(item)).digest('hex').slice(0, 12);

type Base = Pick<Item, 'id' | 'session' | 'order' | 'at' | 'parent'>;

const base = (
  name: string,
  order: number,
  more: { readonly parent?: string; readonly session?: string },
): Base => ({
  id: id<ItemId>(name),
  session: id<SessionId>(more.session ?? 's1'),
  order,
  at: 1_000_000 + order,
  ...(more.parent !== undefined && { parent: id<ItemId>(more.parent) }),
});

const finish = <T extends Item>(item: Omit<T, 'digest' | 'parent'> & { parent?: string }): T =>
  ({ ...item, digest: digestOf(item) }) as T;

export const text = (name: string, order: number, words: string, more: Patch<TextItem> = {}) =>
  finish<TextItem>({
    kind: 'text',
    role: 'agent',
    origin: 'agent',
    text: words,
    status: 'sent',
    ...more,
    ...base(name, order, more),
  });

export const said = (name: string, order: number, words: string, more: Patch<TextItem> = {}) =>
  text(name, order, words, { role: 'user', origin: 'person', ...more });

export const tool = (name: string, order: number, more: Patch<ToolItem> = {}) =>
  finish<ToolItem>({
    kind: 'tool',
    name: 'Bash',
    summary: `do ${name}`,
    input: '{}',
    status: 'done',
    ...more,
    ...base(name, order, more),
  });

export const question = (header = 'Colour', labels: readonly string[] = ['Red', 'Green']) =>
  ({
    type: 'question',
    questions: [
      {
        question: 'Which one?',
        header,
        multiSelect: false,
        options: labels.map((label) => ({ label, description: `about ${label}` })),
      },
    ],
  }) as const;

export const dialog = (name: string, order: number, more: Patch<DialogItem> = {}) =>
  finish<DialogItem>({
    kind: 'dialog',
    dialog: id<DialogId>(name),
    content: question(),
    status: 'open',
    ...more,
    ...base(name, order, more),
  });

export const lifecycle = (name: string, order: number, more: Patch<LifecycleItem> = {}) =>
  finish<LifecycleItem>({
    kind: 'lifecycle',
    event: 'compacted',
    text: 'compacted',
    ...more,
    ...base(name, order, more),
  });

export const pending = (name: string, more: Partial<PendingDialog> = {}): PendingDialog => ({
  id: id<DialogId>(name),
  content: question(),
  since: 1_000_000,
  isAnswerable: true,
  ...more,
});

export const runSummary = (more: Partial<RunSummary> = {}): RunSummary => ({
  id: id<RunId>('r1'),
  pid: 1,
  procStart: '1',
  startedAt: 900_000,
  cwd: '/w/app',
  session: id<SessionId>('s1'),
  state: { name: 'working' },
  title: 'Fix it',
  lastActivityAt: 1_000_000,
  ...more,
});
