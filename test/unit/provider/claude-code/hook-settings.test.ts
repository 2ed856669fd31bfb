import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  hookLine,
  hookLinesIn,
  withHook,
  withoutHook,
} from '../../../../src/provider/claude-code/hook-settings.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

const line = hookLine(['/usr/bin/node', "/opt/it's here/main.js"], '/state/hook.sock');
const entry = (command: string) => ({ matcher: 'Bash', hooks: [{ type: 'command', command }] });

it('is added behind what is there, once, and taken out without a trace (O3)', () => {
  const mine = {
    model: 'opus',
    hooks: { PreToolUse: [entry('mine.sh')], Stop: [entry('done.sh')] },
    zz: 1,
  };
  const once = withHook(mine, line);
  expect(hookLinesIn(once)).toEqual([line, line]);
  expect(withHook(once, line)).toEqual(once);
  expect(Object.keys(once)).toEqual(Object.keys(mine));
  expect(withoutHook(once)).toEqual(mine);
  // A line of another place is replaced, not doubled.
  expect(hookLinesIn(withHook(once, `${line.replace('/opt/', '/new/')}`))).toHaveLength(2);
});

it('whatever the settings hold, adding and taking out gives them back', () => {
  const hooks = fc.dictionary(
    fc.constantFrom('PreToolUse', 'PermissionRequest', 'Stop', 'Other'),
    fc.oneof(
      fc.array(fc.oneof(fc.constant(entry('x')), fc.jsonValue()), { minLength: 1 }),
      fc.integer(),
    ),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.option(hooks), (rest, own) => {
      const before = {
        ...rest,
        ...(own !== null && Object.keys(own).length > 0 && { hooks: own }),
      };
      const isForeign = 'hooks' in before && own === null;
      if (isForeign || Object.values(own ?? {}).some((list) => !Array.isArray(list))) return;
      expect(withoutHook(withHook(before, line))).toEqual(before);
    }),
  );
});

it('L5: the line ends at once and silently where the program or the bridge is gone', async () => {
  const dir = tempDir();
  const socket = join(dir, 'hook.sock');
  const script = join(dir, 'gone.js');
  const sh = (text: string) => spawnSync('sh', ['-c', text], { encoding: 'utf8', input: '{}' });
  const silent = { status: 0, stdout: '', stderr: '' };
  expect(sh(hookLine([process.execPath, script], socket))).toMatchObject(silent);
  expect(sh(hookLine(['/nowhere/node', import.meta.filename], socket))).toMatchObject(silent);
  // No socket: the program is not even started.
  expect(sh(hookLine(['/bin/false', import.meta.filename], socket))).toMatchObject(silent);
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  expect(sh(hookLine(['/bin/false', import.meta.filename], socket)).status).toBe(1);
  server.close();
});
