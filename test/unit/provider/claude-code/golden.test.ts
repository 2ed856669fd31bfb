import { describe, expect, it } from 'vitest';
import { fixture, fixtureNames, inOrder, readAll, shortForm } from './reading.ts';

describe('recorded transcripts give these items', () => {
  it.each(fixtureNames)('%s', async (name) => {
    const reading = readAll(fixture(name));
    const facts = reading.fold.facts();
    const lines = [
      ...inOrder(reading.items.values()).map(shortForm),
      '',
      `facts: ${facts.isTurnEnded ? 'turn ended' : 'turn open'}, last word ${facts.lastWord}, background ${facts.background}, open calls ${facts.openCalls.length}, title ${facts.title ?? '-'}`,
      `rows: ${[...reading.counts].map(([what, n]) => `${what} ${n}`).join(', ')}`,
      ...reading.evidence.map((e) =>
        `evidence ${e.type}${'text' in e ? ` ${e.text?.slice(0, 60)}` : ''}`.replaceAll('\n', '⏎'),
      ),
      ...reading.lookBacks.map(
        (back) => `look back${back.from === undefined ? '' : ' from known place'}`,
      ),
    ];
    const golden = new URL(`./golden/${name.replace(/jsonl$/, 'txt')}`, import.meta.url).pathname;
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(golden);
  });
});
