import { describe, expect, it } from 'vitest';
import { id, type SessionId } from '../../../src/bridge/model/ids.ts';
import { Fold } from '../../../src/provider/claude-code/fold.ts';
import { parseLine } from '../../../src/provider/claude-code/parse.ts';
import { Driver } from './driver.ts';

/** What the bridge's own reader makes of the rows of a scripted TUI. */
const fold = (driver: Driver) => {
  const folded = new Fold({ session: id<SessionId>('session-1') });
  const unknown: unknown[] = [];
  let offset = 0;
  for (const { session: _session, ...row } of driver.rows) {
    const line = Buffer.from(JSON.stringify(row));
    const parsed = parseLine(line);
    if (parsed.row) folded.push(parsed.row, offset);
    else if (parsed.why !== 'skipped') unknown.push(row);
    offset += line.length + 1;
  }
  expect(unknown).toEqual([]);
  return folded.take();
};

describe('the transcript of a scripted TUI, read by the provider', () => {
  it('gives texts, tools and answered dialogs', () => {
    const driver = new Driver().say('hello').run(2000).say('#bash echo hi').run(2000);
    driver.say('#ask two').run(1500).type('2').type('1').type('1').run(2000);
    driver.say('#perm touch x').run(1500).type('4').run(2000);
    driver.say('#plan').run(1500).type('1').run(2000);
    const { items } = fold(driver);
    const dialogs = items.filter((item) => item.kind === 'dialog');
    expect(dialogs.map((dialog) => [dialog.content.type, dialog.status])).toEqual([
      ['question', 'answered'],
      ['plan', 'answered'],
    ]);
    expect(dialogs[0]).toMatchObject({
      answers: { 'Which colour shall it be?': 'Green', 'How large?': 'Small' },
    });
    const tools = items.filter((item) => item.kind === 'tool');
    expect(tools.map((tool) => tool.status)).toEqual(['done', 'denied']);
    expect(items.some((item) => item.kind === 'text' && item.text === 'ACK hello')).toBe(true);
  });

  it('gives evidence of what became of every text', () => {
    const driver = new Driver().say('#slow 3').run(800).say('queued').run(5000);
    driver.say('#bash sleep 2').run(500).say('absorbed').run(5000);
    driver.say('#slow 9').run(1500).say('popped').run(100).key('up');
    driver.key('ctrl-u').key('escape').run(1000);
    driver.say('#hang').run(400).key('escape').run(500).key('ctrl-u');
    driver.say('next').run(2000).say('/clear').run(500);
    const seen = fold(driver).evidence.map((each) => each.type);
    expect(new Set(seen)).toEqual(
      new Set([
        'user-row',
        'enqueue',
        'absorbed',
        'dequeue-popped',
        'interrupted',
        'unsent',
        'command',
      ]),
    );
  });

  it('an API error, a shell command, an unknown command and a compaction have their own items', () => {
    const driver = new Driver().say('#error 529').run(2000).say('!echo hi').run(2000);
    driver.say('/nope').run(500).say('/compact').run(1000);
    const events = fold(driver).items.flatMap((item) =>
      item.kind === 'lifecycle' ? [item.event] : [],
    );
    expect(events).toEqual(expect.arrayContaining(['api-error', 'shell', 'notice', 'compacted']));
  });
});
