import { describe, expect, it } from 'vitest';
import type { DialogItem, ToolItem } from '../../../../src/bridge/model/conversation.ts';
import { type DialogId, type ItemId, id, type TurnId } from '../../../../src/bridge/model/ids.ts';
import { type RunState, replyIs } from '../../../../src/bridge/model/run-state.ts';
import type { TranscriptFacts } from '../../../../src/provider/claude-code/fold.ts';
import type { RegistryEntry } from '../../../../src/provider/claude-code/registry-entry.ts';
import {
  needsScreen,
  pendingDialogOf,
  type StateInput,
  stateOf,
} from '../../../../src/provider/claude-code/state.ts';
import { SESSION } from './reading.ts';

const base = { session: SESSION, order: 1, at: 5, digest: 'd' };
const call = (name: string, key = name): ToolItem => ({
  ...base,
  id: id<ItemId>(key),
  kind: 'tool',
  name,
  summary: `does ${name}`,
  input: '{"command":"ls"}',
  status: 'running',
});
const dialog = (type: 'question' | 'plan', key: string): DialogItem => ({
  ...base,
  id: id<ItemId>(key),
  kind: 'dialog',
  dialog: id<DialogId>(key),
  content:
    type === 'plan'
      ? { type, plan: 'p' }
      : {
          type,
          questions: [
            { question: 'Q?', header: 'h', multiSelect: false, options: [{ label: 'a' }] },
          ],
        },
  status: 'open',
});

const quiet: TranscriptFacts = {
  isTurnEnded: true,
  lastWord: 'none',
  background: 0,
  openCalls: [],
  lastAt: 1,
};
const turn = id<TurnId>('t1');
const running: TranscriptFacts = { ...quiet, isTurnEnded: false, lastWord: 'other', turn };
const asking: TranscriptFacts = { ...running, openCalls: [dialog('question', 'toolu_q')] };
const planning: TranscriptFacts = { ...running, openCalls: [dialog('plan', 'toolu_p')] };
const calling: TranscriptFacts = { ...running, openCalls: [call('Bash', 'toolu_b')] };

const entry = (status: RegistryEntry['status'], waitingFor?: string): RegistryEntry => ({
  pid: 7,
  sessionId: 's',
  cwd: '/w',
  startedAt: 1,
  procStart: '99',
  version: '2.1.332',
  kind: 'interactive',
  status,
  ...(waitingFor === undefined ? {} : { waitingFor }),
});
const input = (part: Partial<StateInput>): StateInput => ({
  entry: entry('idle'),
  isAlive: true,
  procStart: '99',
  facts: quiet,
  ...part,
});

describe('D03 S1 one state per run', () => {
  const cases: [string, Partial<StateInput>, RunState][] = [
    ['no registry file yet', { entry: 'absent' }, { name: 'starting' }],
    [
      'no registry file and a start-up screen',
      { entry: 'absent', screen: 'trust' },
      { name: 'blocked', cause: 'trust' },
    ],
    [
      'the registry file just went, the process is about to end',
      { entry: 'absent', previous: { name: 'needs-input' } },
      { name: 'needs-input' },
    ],
    ['no turn yet', {}, { name: 'idle' }],
    [
      'the agent had the last word',
      { facts: { ...quiet, lastWord: 'agent' } },
      { name: 'needs-input' },
    ],
    ['interrupted or failed', { facts: { ...quiet, lastWord: 'other' } }, { name: 'idle' }],
    [
      'background agents outlive the turn',
      { facts: { ...quiet, lastWord: 'agent', background: 2, turn } },
      { name: 'working', background: 2, turn },
    ],
    ['busy', { entry: entry('busy'), facts: running }, { name: 'working', turn }],
    ['busy before the first row', { entry: entry('busy') }, { name: 'working' }],
    [
      'a question',
      { entry: entry('waiting', 'input needed'), facts: asking },
      { name: 'question-pending', dialog: id<DialogId>('toolu_q') },
    ],
    [
      'a question that the transcript does not hold (remote control)',
      { entry: entry('waiting', 'input needed'), facts: running },
      { name: 'question-pending' },
    ],
    [
      'a plan',
      { entry: entry('waiting', 'permission prompt'), facts: planning },
      { name: 'plan-pending', dialog: id<DialogId>('toolu_p') },
    ],
    [
      'an approval',
      { entry: entry('waiting', 'permission prompt'), facts: calling },
      { name: 'approval-pending', dialog: id<DialogId>('approval:toolu_b') },
    ],
    [
      'an approval that the transcript does not hold',
      { entry: entry('waiting', 'permission prompt'), facts: running },
      { name: 'approval-pending' },
    ],
    [
      'T08 an approval of a subagent is not one of the call that started it',
      {
        entry: entry('waiting', 'permission prompt'),
        facts: { ...running, openCalls: [call('Agent', 'toolu_a'), call('Write', 'toolu_w')] },
      },
      { name: 'approval-pending', dialog: id<DialogId>('approval:toolu_w') },
    ],
    ['a menu', { entry: entry('waiting', 'dialog open') }, { name: 'blocked', cause: 'menu' }],
    [
      'what the screen says of an open dialog',
      { entry: entry('waiting', 'dialog open'), screen: 'auto-mode-notice' },
      { name: 'blocked', cause: 'auto-mode-notice' },
    ],
    [
      'a reason to wait that we do not know',
      { entry: entry('waiting', 'worker request') },
      { name: 'blocked', cause: 'unknown-screen' },
    ],
    [
      'torn: busy with input needed, the question is in the transcript',
      { entry: entry('busy', 'input needed'), facts: asking },
      { name: 'question-pending', dialog: id<DialogId>('toolu_q') },
    ],
    [
      'torn: busy with input needed, nothing in the transcript',
      { entry: entry('busy', 'input needed'), facts: running },
      { name: 'working', turn },
    ],
    [
      'torn: waiting without a reason, a question in the transcript',
      { entry: entry('waiting', ''), facts: asking },
      { name: 'question-pending', dialog: id<DialogId>('toolu_q') },
    ],
    [
      'torn: waiting without a reason, a call in the transcript',
      { entry: entry('waiting', ''), facts: calling },
      { name: 'approval-pending', dialog: id<DialogId>('approval:toolu_b') },
    ],
    [
      'torn: waiting without a reason, nothing known: as before',
      { entry: entry('waiting', ''), facts: running, previous: { name: 'working', turn } },
      { name: 'working', turn },
    ],
    [
      'unreadable for a moment: as before',
      { entry: 'unreadable', previous: { name: 'needs-input' } },
      { name: 'needs-input' },
    ],
    ['an unknown status', { entry: entry('unknown'), facts: running }, { name: 'working', turn }],
    ['exited', { entry: 'absent', isAlive: false }, { name: 'ended', how: 'exited' }],
    ['killed', { isAlive: false }, { name: 'ended', how: 'killed' }],
    [
      'unreadable and gone',
      { entry: 'unreadable', isAlive: false },
      { name: 'ended', how: 'lost' },
    ],
    [
      'another process has this pid now',
      { entry: { ...entry('idle'), procStart: '100' } },
      { name: 'ended', how: 'lost' },
    ],
    [
      'the pane cannot be reached',
      { paneTrouble: 'runs outside tmux' },
      { name: 'unreachable', why: 'runs outside tmux' },
    ],
  ];
  it.each(cases)('%s', (_what, part, state) => {
    expect(stateOf(input(part))).toEqual(state);
  });

  it('S2 where a state would take a reply the pane is certain', () => {
    for (const [, part] of cases) {
      const state = stateOf(input({ ...part, paneTrouble: 'no pane' }));
      expect(['held', 'refused']).toContain(replyIs(state));
    }
  });

  it('I01 asks the screen only where nothing else explains the wait', () => {
    expect(needsScreen('absent')).toBe(true);
    expect(needsScreen(entry('waiting', 'dialog open'))).toBe(true);
    expect(needsScreen(entry('unknown'))).toBe(true);
    expect(needsScreen(entry('waiting', 'input needed'))).toBe(false);
    expect(needsScreen(entry('busy'))).toBe(false);
    expect(needsScreen(entry('idle'))).toBe(false);
  });
});

describe('Q1 the pending dialog', () => {
  const pending = (facts: TranscriptFacts, waitingFor: string) =>
    pendingDialogOf(
      stateOf(input({ entry: entry('waiting', waitingFor), facts })),
      facts,
      () => true,
    );

  it('is the unanswered question, plan or call of the transcript', () => {
    expect(pending(asking, 'input needed')).toMatchObject({
      id: 'toolu_q',
      content: { type: 'question' },
      since: 5,
      isAnswerable: true,
    });
    expect(pending(planning, 'permission prompt')).toMatchObject({ content: { type: 'plan' } });
    expect(pending(calling, 'permission prompt')).toMatchObject({
      id: 'approval:toolu_b',
      content: { type: 'approval', tool: 'Bash', summary: 'does Bash' },
    });
  });

  it('is not invented where the transcript does not hold it', () => {
    expect(pending(running, 'input needed')).toBeUndefined();
    expect(pending(running, 'permission prompt')).toBeUndefined();
  });

  it('D14 is not answered by keys when several calls may be the one that asks', () => {
    const two = { ...running, openCalls: [call('Bash', 'a'), call('Write', 'b')] };
    expect(pending(two, 'permission prompt')).toMatchObject({
      id: 'approval:a',
      isAnswerable: false,
    });
  });
});
