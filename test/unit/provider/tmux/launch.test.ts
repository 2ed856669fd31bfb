import { expect, it } from 'vitest';
import { attachCommandOf, selectCommandOf } from '../../../../src/provider/tmux/launch.ts';

const pane = (socket: string) => ({ socket, serverPid: 1, serverStart: 2, pane: '%3' });

it('says how to see a pane: by its id, with the server where it is not the usual one', () => {
  expect(attachCommandOf(pane('/tmp/tmux-7/default'), 7)).toBe("tmux attach -t '%3'");
  expect(attachCommandOf(pane("/tmp/it's"), 7)).toBe("tmux -S '/tmp/it'\\''s' attach -t '%3'");
  expect(selectCommandOf(pane('/tmp/tmux-7/default'))).toBe("tmux select-window -t '%3'");
});
