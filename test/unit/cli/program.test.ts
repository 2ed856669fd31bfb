import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/cli/find-program.ts';
import { columns, oneLine, shortPath, span } from '../../../src/cli/table.ts';
import { createTerminal } from '../../../src/cli/terminal.ts';
import { fakeProvider } from '../../fakes/fake-provider.ts';
import { tempDir } from '../../fakes/temp-dir.ts';
import { cliFixture } from './fixture.ts';

describe('afk-bridge (O3)', () => {
  it('prints its version and its help', async () => {
    const cli = cliFixture();
    expect(await cli.run('--version')).toBe(0);
    expect(cli.out).toEqual(['1.2.3']);
    expect(await cli.run('--help')).toBe(0);
    expect(cli.out.join('\n')).toMatch(/start .*run .*ls .*status /s);
  });

  it.each([[['nonsense']], [['ls', '--nonsense']], [['run']], [['status', 'a', 'b']], [[]]])(
    'ends with 2 for wrong usage: %j',
    async (argv) => {
      expect(await cliFixture().run(...argv)).toBe(2);
    },
  );

  it('ends with 2 for a configuration that cannot be used, with its position', async () => {
    const cli = cliFixture();
    cli.configure('web: {prot: 1}');
    expect(await cli.run('ls')).toBe(2);
    expect(cli.err.join()).toMatch(/afk-bridge\.yaml:1:7: web\.prot: unknown key/);
    expect(await cli.run('--config', 'nowhere.yaml', 'ls')).toBe(2);
  });

  it('starts an agent by the configured command, where the provider can', async () => {
    const launched: unknown[] = [];
    const launch = (argv: readonly string[]) => {
      launched.push(argv);
      return Promise.resolve({ attachCommand: 'tmux attach -t x' });
    };
    const provider = Object.assign(fakeProvider([]), { launch });
    const cli = cliFixture({ provider });
    cli.configure('claudeCode: {command: /opt/claude}');
    expect(await cli.run('run', '--', 'claude', '--continue')).toBe(0);
    const hook = expect.stringMatching(/"PermissionRequest".*main\.js.*hook\.sock/);
    expect(launched).toEqual([['/opt/claude', '--settings', hook, '--continue']]);
    expect(cli.out).toEqual(['started; to see it: tmux attach -t x']);
    expect(await cli.run('run', '--', 'vim')).toBe(2);
    expect(await cliFixture().run('run', '--', 'claude')).toBe(5);
    const bare = cliFixture({ provider, missing: 'claude' });
    expect(await bare.run('run', '--', 'claude')).toBe(5);
    expect(bare.err.join()).toContain('claude is not installed or not in PATH');
    expect(launched).toHaveLength(1);
  });
});

describe('what commands print', () => {
  it('lets no control character of an agent reach the terminal (A3)', () => {
    let text = '';
    const out = { write: (t: string) => (text += t), on: () => undefined, isTTY: true };
    const terminal = createTerminal({ out, err: out });
    terminal.print('a\u001b]0;title\u0007b\u009b31mc\td\ne');
    expect(text).toBe('a]0;titleb31mc\td\ne\n');
    expect(terminal.isTty).toBe(true);
  });

  it('survives that nobody reads any more, and nothing else', () => {
    const out = new PassThrough();
    createTerminal({ out, err: out });
    const fail = (code: string) => out.emit('error', Object.assign(new Error(code), { code }));
    expect(() => fail('EPIPE')).not.toThrow();
    expect(() => fail('EIO')).not.toThrow();
    expect(() => fail('ENOSPC')).toThrow('ENOSPC');
  });

  it('finds a program by name and by path', () => {
    const dir = tempDir();
    const file = join(dir, 'agent');
    writeFileSync(file, '');
    expect(findProgram('agent', dir)).toBeUndefined();
    chmodSync(file, 0o700);
    expect(findProgram('agent', `/nowhere::${dir}`)).toBe(file);
    expect(findProgram(file, '')).toBe(file);
    expect(findProgram(dir, '')).toBeUndefined();
  });

  it('says spans, paths, lines and columns shortly', () => {
    expect([400, 59_000, 90_000, 7_000_000, 200_000_000].map(span)).toEqual([
      '0 s',
      '59 s',
      '2 min',
      '2 h',
      '2 d',
    ]);
    expect(shortPath('/home/a/x', '/home/a')).toBe('~/x');
    expect(shortPath('/home/ab', '/home/a')).toBe('/home/ab');
    expect(oneLine('a\n\u001b b', 9)).toBe('a b');
    expect(oneLine('👩‍👩‍👧x👩‍👩‍👧y', 3)).toBe('👩‍👩‍👧x…');
    expect(
      columns([
        ['a', 'b'],
        ['long', 'c'],
      ]),
    ).toEqual(['a     b', 'long  c']);
  });
});
