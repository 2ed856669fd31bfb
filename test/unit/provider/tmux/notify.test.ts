import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Tmux } from '../../../../src/provider/tmux/tmux.ts';
import { fakePane } from '../../../fakes/fake-agent.ts';
import { tempDir } from '../../../fakes/temp-dir.ts';

it('L4: a server that does not answer is no error for the line that tells who typed', async () => {
  const program = join(tempDir(), 'tmux');
  writeFileSync(program, '#!/bin/sh\nexec sleep 5\n');
  chmodSync(program, 0o700);
  const tmux = new Tmux({ program, timeoutMs: 30 });
  await expect(tmux.notify(fakePane, 'Alice sent a message')).resolves.toBeUndefined();
  await expect(tmux.look(fakePane)).rejects.toThrow('did not answer');
});
