import { expect, it } from 'vitest';
import type { ToolItem } from '../../../../src/bridge/model/conversation.ts';
import { type ItemId, id, type SessionId } from '../../../../src/bridge/model/ids.ts';
import {
  type HookRequest,
  HookRequests,
} from '../../../../src/provider/claude-code/hook-requests.ts';

const bash = (call: string, at: number, command = 'ls'): ToolItem => ({
  kind: 'tool',
  id: id<ItemId>(call),
  session: id<SessionId>('s'),
  order: at,
  at,
  digest: '',
  name: 'Bash',
  summary: command,
  input: JSON.stringify({ command }),
  status: 'running',
});
const none: ReadonlySet<string> = new Set();

const rig = () => {
  const requests = new HookRequests();
  const said: string[] = [];
  const hook = (name: string, at: number, command = 'ls', call?: string): HookRequest => {
    const request: HookRequest = {
      at,
      input: {
        hook_event_name: 'PermissionRequest',
        session_id: 's',
        tool_name: 'Bash',
        tool_input: { command },
      },
      call,
      answer: (output) => said.push(`${name}: ${output}`) > 0,
      dismiss: () => void said.push(`${name}: ended`),
      note: (of) => void said.push(`${name}=${of}`),
    };
    requests.add(request);
    return request;
  };
  return { requests, said, hook };
};

it('L5: the hook of a settled dialog never takes the answer of the same one asked again', () => {
  const { requests, said, hook } = rig();
  hook('one', 11);
  requests.reconcile('s', [bash('toolu_1', 10)], none);
  // It was answered at the terminal; Claude Code does not end the hook, and asks again.
  hook('two', 31);
  requests.reconcile('s', [bash('toolu_2', 30)], new Set(['toolu_1']));
  expect(requests.answer('s', 'toolu_2', 'yes')).toBe(true);
  expect(said).toEqual(['one=toolu_1', 'one: ended', 'two=toolu_2', 'two: yes']);
});

it('L5: nor when the bridge was away in between and knows nothing of the first', () => {
  const { requests, said, hook } = rig();
  hook('one', 11);
  hook('two', 31);
  requests.reconcile('s', [bash('toolu_2', 30)], none);
  expect(requests.for('s', 'toolu_2')?.at).toBe(31);
  requests.answer('s', 'toolu_2', 'yes');
  expect(said).toEqual(['two=toolu_2', 'two: yes']);
});

it('installed twice it acts once', () => {
  const { requests, said, hook } = rig();
  hook('one', 11);
  hook('two', 12);
  requests.reconcile('s', [bash('toolu_1', 10)], none);
  requests.answer('s', 'toolu_1', 'yes');
  expect(said.slice(2)).toEqual(['one: yes', 'two: ended']);
  expect(requests.all).toEqual([]);
});

it('a call that was allowed at the terminal and runs on keeps no hook', () => {
  const { requests, said, hook } = rig();
  hook('one', 11);
  const open = [bash('toolu_1', 10)];
  requests.reconcile('s', open, none, 5);
  requests.reconcile('s', open, none, 5_000);
  expect(said).toEqual(['one=toolu_1', 'one: ended']);
});

it.each([
  ['another command', 'pwd', 11],
  ['a call that is younger than the hook', 'ls', 9],
])('%s is not what it asks about', (_name, command, at) => {
  const { requests, hook } = rig();
  hook('one', at, command);
  requests.reconcile('s', [bash('toolu_1', 10)], none);
  expect(requests.asked('s')).toEqual([]);
});

it('a hook that an earlier bridge had bound keeps its call', () => {
  const { requests, hook } = rig();
  hook('one', 11, 'ls', 'toolu_9');
  requests.reconcile('s', [bash('toolu_1', 10)], none);
  expect(requests.asked('s').map(({ call }) => call)).toEqual(['toolu_9']);
});
