import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cliFixture } from './fixture.ts';

const set = () => {
  const cli = cliFixture();
  cli.configure('stateDir: state\nclaudeCode: {configDir: claude}\n');
  const file = join(cli.dir, 'claude', 'settings.json');
  return { cli, file, text: () => readFileSync(file, 'utf8') };
};

it('installs into settings that are there, says so twice differently, and takes it out again (O3)', async () => {
  const { cli, file, text } = set();
  expect(await cli.run('hooks', 'install')).toBe(0);
  expect(await cli.run('hooks', 'uninstall')).toBe(0);
  const mine = '{\n    "model": "opus",\n    "hooks": {\n        "Stop": []\n    }\n}\n';
  writeFileSync(file, mine);
  expect(await cli.run('hooks', 'install')).toBe(0);
  expect(text()).toContain('/opt/afk-bridge/main.js');
  expect(readFileSync(`${file}.before-afk-bridge`, 'utf8')).toBe(mine);
  expect(await cli.run('hooks', 'install')).toBe(0);
  expect(cli.out.at(-1)).toContain('already installed');
  expect(await cli.run('hooks', 'status')).toBe(0);
  expect(cli.out.join('\n')).toContain('does not listen: dialogs stay on the terminal');
  expect(await cli.run('hooks', 'uninstall')).toBe(0);
  expect(text()).toBe(mine);
});

it('changes nothing in settings that cannot be read, and says why', async () => {
  const { cli, file, text } = set();
  await cli.run('hooks', 'install');
  writeFileSync(file, '{ "model": ');
  expect(await cli.run('hooks', 'install')).toBe(1);
  expect(cli.err.at(-1)).toContain('not valid JSON, so nothing was changed');
  expect(text()).toBe('{ "model": ');
});

it('status says that the program has moved, and how to mend it (L5)', async () => {
  const { cli, file, text } = set();
  await cli.run('hooks', 'install');
  writeFileSync(file, text().replaceAll('/opt/', '/old/'));
  expect(await cli.run('hooks', 'status')).toBe(1);
  expect(cli.err.at(-1)).toContain('run `afk-bridge hooks install` again');
});
