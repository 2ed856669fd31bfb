import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../src/bridge/model/conversation.ts';
import { type DialogId, type ItemId, id, type SessionId } from '../../../src/bridge/model/ids.ts';
import type { TranscriptReader } from '../../../src/bridge/ports/agent-provider.ts';
import { fakeProvider } from '../../fakes/fake-provider.ts';
import { cliFixture } from './fixture.ts';

const base = (order: number, digest = 'a') => ({
  id: id<ItemId>(`item-${order}`),
  session: id<SessionId>('s'),
  order,
  at: order,
  digest,
});
const text = (order: number, role: 'user' | 'agent', words: string): Item => ({
  ...base(order),
  kind: 'text',
  role,
  origin: role === 'user' ? 'person' : 'agent',
  text: words,
  status: 'sent',
  endsTurn: role === 'agent' && words.endsWith('.'),
});
const tool = (order: number, status: 'running' | 'done'): Item => ({
  ...base(order, status),
  kind: 'tool',
  name: 'Bash',
  summary: `make ${order}`,
  input: '{}',
  status,
});

const items: readonly Item[] = [
  text(1, 'user', 'mend it'),
  text(2, 'agent', 'Looking'),
  tool(3, 'running'),
  tool(4, 'done'),
  tool(3, 'done'),
  {
    ...base(5),
    kind: 'dialog',
    dialog: id<DialogId>('d'),
    status: 'open',
    content: {
      type: 'question',
      questions: [
        { header: 'How', question: 'Which?', multiSelect: false, options: [{ label: 'A' }] },
      ],
    },
  },
  text(6, 'agent', 'Done, key AKIAABCDEFGHIJKLMNOP is in.'),
];

/** Gives two items at a time. */
const reader: TranscriptReader = {
  window: () => Promise.reject(new Error('not asked for')),
  changes: () => Promise.reject(new Error('not asked for')),
  since: (_path, offset) =>
    Promise.resolve({
      items: items.slice(offset, offset + 2),
      cursor: '',
      ...(offset + 2 < items.length ? { next: offset + 2 } : {}),
    }),
};
const provider = Object.assign(fakeProvider([]), reader);
const withTranscript = () => {
  const cli = cliFixture({ provider });
  writeFileSync(join(cli.dir, 'x.jsonl'), '');
  return cli;
};

describe('afk-bridge replay (O3)', () => {
  it('prints what would be posted, in order, masked, in the last form', async () => {
    const cli = withTranscript();
    expect(await cli.run('replay', 'x.jsonl')).toBe(0);
    const shown = cli.out.join('\n');
    expect(cli.out.filter((line) => line.startsWith('── '))).toEqual([
      '── user (terminal)',
      '── agent',
      '── activity',
      '── dialog',
      '── agent',
    ]);
    expect(shown).toMatch(/✓ Bash `make 3`\n✓ Bash `make 4`/);
    expect(shown).not.toContain('AKIAABCDEFGHIJKLMNOP');
    expect(cli.err).toEqual(['5 messages of 6 items']);
  });

  it('selects by verbosity, and prints JSON', async () => {
    const cli = withTranscript();
    expect(await cli.run('replay', 'x.jsonl', '--verbosity', 'quiet', '--json')).toBe(0);
    const messages = JSON.parse(cli.out.join('\n')) as { type: string }[];
    expect(messages.map(({ type }) => type)).toEqual(['text', 'dialog', 'text']);
    expect(await cli.run('replay', 'x.jsonl', '--verbosity', 'loud')).toBe(2);
  });

  it('says when there is no such file, or nothing that reads it', async () => {
    expect(await withTranscript().run('replay', 'gone.jsonl')).toBe(4);
    expect(await withTranscript().run('replay', '.')).toBe(4);
    expect(await cliFixture().run('replay', 'x.jsonl')).toBe(5);
  });
});
