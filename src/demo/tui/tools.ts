import type { ToolStep } from './script.ts';

const shellOutput = (command: string): string => /^echo (.*)$/.exec(command)?.[1] ?? '';

export const bash = (command: string, ms: number, output = shellOutput(command)): ToolStep => ({
  type: 'tool',
  name: 'Bash',
  input: { command, description: 'Run a command' },
  output: output === '' ? '(Bash completed with no output)' : output,
  result: {
    stdout: output,
    stderr: '',
    interrupted: false,
    isImage: false,
    noOutputExpected: output === '',
  },
  ms,
  shows: `Ran 1 shell command`,
});

export const approvedBash = (command: string, cwd: string, output?: string): ToolStep => ({
  ...bash(command, 30, output),
  approval: {
    title: 'Bash command',
    note: 'Run a command',
    body: command.split('\n'),
    question: 'Do you want to proceed?',
    options: [
      'Yes',
      `Yes, and always allow access to ${cwd} from this project`,
      'Yes, and switch to auto mode · auto mode handles these prompts for you',
      'No',
    ],
  },
});

/** Asks first, as in the mode "manual". */
export const write = (path: string, content: string): ToolStep => {
  const name = path.split('/').at(-1) ?? path;
  return {
    type: 'tool',
    name: 'Write',
    input: { file_path: path, content },
    output: `File created successfully at: ${path} (file state is current in your context — no need to Read it back)`,
    result: {
      type: 'create',
      filePath: path,
      content,
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    },
    ms: 20,
    shows: `Write(${name})`,
    approval: {
      title: 'Create file',
      note: name,
      body: content.split('\n').map((line, i) => ` ${i + 1} ${line}`),
      question: `Do you want to create ${name}?`,
      options: [
        'Yes',
        'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)',
        'No',
      ],
    },
  };
};

export const read = (path: string, content: string): ToolStep => {
  const lines = content.split('\n');
  return {
    type: 'tool',
    name: 'Read',
    input: { file_path: path },
    output: lines.map((line, i) => `${i + 1}\t${line}`).join('\n'),
    result: {
      type: 'text',
      file: {
        filePath: path,
        content,
        numLines: lines.length,
        startLine: 1,
        totalLines: lines.length,
      },
    },
    ms: 700,
    shows: `Read ${path.split('/').at(-1)}`,
  };
};

/** `before` and `after` are whole files; their common head and tail are context of the diff. */
export const editFile = (path: string, before: string, after: string): ToolStep => {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old.at(-1 - tail) === now.at(-1 - tail)
  )
    tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const context = {
    before: old.slice(Math.max(0, head - 3), head),
    after: old.slice(old.length - tail, old.length - tail + 3),
  };
  return {
    type: 'tool',
    name: 'Edit',
    input: {
      replace_all: false,
      file_path: path,
      old_string: removed.join('\n'),
      new_string: added.join('\n'),
    },
    output: `The file ${path} has been updated successfully. (file state is current in your context — no need to Read it back)`,
    result: {
      filePath: path,
      oldString: removed.join('\n'),
      newString: added.join('\n'),
      originalFile: before,
      structuredPatch: [
        {
          oldStart: Math.max(1, head - context.before.length + 1),
          oldLines: context.before.length + removed.length + context.after.length,
          newStart: Math.max(1, head - context.before.length + 1),
          newLines: context.before.length + added.length + context.after.length,
          lines: [
            ...context.before.map((line) => ` ${line}`),
            ...removed.map((line) => `-${line}`),
            ...added.map((line) => `+${line}`),
            ...context.after.map((line) => ` ${line}`),
          ],
        },
      ],
      userModified: false,
      replaceAll: false,
    },
    ms: 900,
    shows: `Update(${path.split('/').at(-1)})`,
  };
};
