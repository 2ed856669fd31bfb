import { playDemo } from '../../src/demo/demo.ts';

/** A demo in a process of its own, with no bridge: `tsx demo-process.ts TEMP-DIR`. Prints `ready`. */
const tempDir = process.argv[2];
if (tempDir === undefined) throw new Error('needs a directory');
// A bridge listens, and so keeps its process alive; here nothing does.
setInterval(() => undefined, 60_000);
await playDemo(
  {
    tempDir,
    pace: 0.2,
    tmux: {},
    say: (line) => {
      if (line.includes('Ctrl-C')) process.stdout.write('ready\n');
    },
    startBridge: async () => ({ link: 'http://127.0.0.1:0/', stop: async () => undefined }),
  },
  new AbortController().signal,
);
