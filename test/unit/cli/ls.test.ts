import { describe, expect, it } from 'vitest';
import { id, type RunId } from '../../../src/bridge/model/ids.ts';
import { anObservation, aRun, fakeProvider } from '../../fakes/fake-provider.ts';
import { cliFixture } from './fixture.ts';

const shop = aRun();
const secret = aRun({ id: id<RunId>('host-200-1'), cwd: '/home/a/secret', name: 'x' });
const provider = fakeProvider([{ run: shop, seen: anObservation(shop) }, { run: secret }]);

describe('afk-bridge ls (O3)', () => {
  it('lists what runs, where, in which state, and says what is private', async () => {
    const cli = cliFixture({ provider });
    cli.configure('runs: {rules: [{cwd: "/home/a/work/**", show: true}]}');
    expect(await cli.run('ls')).toBe(0);
    expect(cli.out).toEqual([
      'RUN            STATE         ACTIVE  PANE  DIRECTORY           TITLE',
      'host-100-5000  working       1 min   %3    ~/work/shop (main)  mend the till',
      'host-200-1     not readable          %3    ~/secret (main)     private: not shown; x',
      'page: no bridge is running (afk-bridge start)',
    ]);
  });

  it('says what to do when there is nothing', async () => {
    const cli = cliFixture();
    expect(await cli.run('ls')).toBe(0);
    expect(cli.out.join('\n')).toContain('afk-bridge run -- claude');
  });

  it('prints JSON for scripts', async () => {
    const cli = cliFixture({ provider });
    expect(await cli.run('ls', '--json')).toBe(0);
    expect(JSON.parse(cli.out.join('\n'))).toMatchObject({
      page: null,
      runs: [
        { id: 'host-100-5000', state: { name: 'working' }, isShown: true },
        { id: 'host-200-1', state: null },
      ],
    });
  });
});
