import { describe, expect, it } from 'vitest';
import { type DialogId, id, type RunId } from '../../../src/bridge/model/ids.ts';
import { anObservation, aRun, fakeProvider } from '../../fakes/fake-provider.ts';
import { cliFixture } from './fixture.ts';

const run = aRun();
const other = aRun({ id: id<RunId>('host-200-1'), pid: 200 });
const asking = anObservation(run, {
  state: { name: 'question-pending' },
  pendingDialog: {
    id: id<DialogId>('toolu_1'),
    since: 0,
    isAnswerable: false,
    content: {
      type: 'question',
      questions: [
        {
          header: 'Colour',
          question: 'Which?',
          multiSelect: false,
          options: [{ label: 'Red', description: 'as blood' }, { label: 'Blue' }],
        },
      ],
    },
  },
});
const provider = fakeProvider([{ run, seen: asking }, { run: other }]);

describe('afk-bridge status (O3)', () => {
  it('tells of the bridge', async () => {
    const cli = cliFixture();
    expect(await cli.run('status')).toBe(0);
    expect(cli.out[0]).toMatch(/^bridge +not running/);
    expect(await cli.run('status', '--json')).toBe(0);
    expect(JSON.parse(cli.out.at(-1) ?? '')).toMatchObject({
      running: null,
      installedVersion: '1.2.3',
    });
  });

  it('tells of a run: what it does, what a reply would be, what it asks', async () => {
    const cli = cliFixture({ provider });
    expect(await cli.run('status', '100')).toBe(0);
    const text = cli.out.join('\n');
    expect(text).toMatch(/state +question pending\n/);
    expect(text).toMatch(/a reply +would be held/);
    expect(text).toContain('open dialog (to be answered at the terminal):');
    expect(text).toContain('  Colour: Which?\n    1. Red – as blood\n    2. Blue');
  });

  it('finds a run by the beginning of its id, and not when several fit', async () => {
    const cli = cliFixture({ provider });
    expect(await cli.run('status', 'host-1')).toBe(0);
    expect(await cli.run('status', 'host-')).toBe(4);
    expect(await cli.run('status', '%3')).toBe(4);
    expect(await cli.run('status', 'nothing')).toBe(4);
    expect(cli.err).toEqual([
      'afk-bridge: host- fits host-100-5000, host-200-1',
      'afk-bridge: %3 fits host-100-5000, host-200-1',
      'afk-bridge: no run is called nothing; afk-bridge ls shows those there are',
    ]);
  });

  it('prints the screen with its reading where the provider has one', async () => {
    const seen = { screen: '❯ half a thought', reading: 'idle, foreign draft', reply: 'held' };
    const cli = cliFixture({
      provider: { ...provider, inspect: () => Promise.resolve(seen) } as typeof provider,
    });
    expect(await cli.run('status', '100', '--screen')).toBe(0);
    expect(cli.out.join('\n')).toContain('❯ half a thought\n\nread as: idle, foreign draft');
    expect(await cliFixture({ provider }).run('status', '100', '--screen')).toBe(5);
    expect(await cli.run('status', '--screen')).toBe(2);
  });
});
