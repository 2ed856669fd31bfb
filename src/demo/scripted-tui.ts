import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { storyNamed } from './stories/stories.ts';
import { runTui } from './tui/run.ts';
import { plainScript, type Script } from './tui/script.ts';

const { values } = parseArgs({
  options: {
    /** Name of a story, or a JSON file with a Script. */
    script: { type: 'string' },
    untrusted: { type: 'boolean', default: false },
    'ground-truth': { type: 'string' },
    pace: { type: 'string', default: process.env.AFK_BRIDGE_TUI_PACE ?? '1' },
    'permission-mode': { type: 'string', default: 'default' },
    'agent-version': { type: 'string', default: '2.1.332' },
    'watch-pid': { type: 'string' },
    resume: { type: 'string' },
    'fork-session': { type: 'boolean', default: false },
  },
});

const scriptOf = (name: string | undefined): Script => {
  if (name === undefined) return plainScript;
  const story = storyNamed(name, process.cwd());
  if (story) return story;
  // A script file comes from whoever starts this program for a test: it is trusted to have the shape.
  return { ...plainScript, ...(JSON.parse(readFileSync(name, 'utf8')) as Partial<Script>) };
};

// The pane's current command reads as it does with the real program.
process.title = 'claude';
runTui({
  configDir: process.env.CLAUDE_CONFIG_DIR ?? join(homedir(), '.claude'),
  script: scriptOf(values.script),
  isUntrusted: values.untrusted,
  groundTruth: values['ground-truth'],
  pace: Math.max(0.01, Number(values.pace) || 1),
  version: values['agent-version'],
  permissionMode: values['permission-mode'],
  resume:
    values.resume === undefined
      ? undefined
      : { session: values.resume, isFork: values['fork-session'] },
  watchPid: values['watch-pid'] === undefined ? undefined : Number(values['watch-pid']),
});
