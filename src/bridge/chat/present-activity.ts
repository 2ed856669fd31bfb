import type { OutboundMessage } from '../model/chat.ts';
import type { Item, ToolItem, ToolStatus } from '../model/conversation.ts';
import { fenced, inlineCode, oneLine } from '../text/plain.ts';

/** What the ledger keeps of a tool call while the message that shows it can still change. */
export interface KeptCall {
  /** The item's order. */
  readonly o: number;
  readonly line: string;
  readonly status: ToolStatus;
  /** Steps of a subagent that this call started, and the last one. */
  readonly steps: number;
  readonly last?: string;
  /** Its subagent goes on without it. */
  readonly isBackground?: true;
}

/** More calls than this are counted, not listed. */
const mostLines = 15;
const lineLength = 160;

const icons: { readonly [status in ToolStatus]: string } = {
  running: '⏳',
  done: '✓',
  failed: '✗',
  denied: '⛔',
  interrupted: '⏹',
};

export const keepCall = (item: ToolItem, earlier: KeptCall | undefined): KeptCall => ({
  ...earlier,
  o: item.order,
  line: `${item.name} ${inlineCode(oneLine(item.summary, lineLength))}`,
  status: item.status,
  steps: earlier?.steps ?? 0,
  ...(item.isBackground === true && { isBackground: true }),
});

/** One more step of a subagent under the call that started it. */
export const addStep = (call: KeptCall, step: Item): KeptCall => ({
  ...call,
  steps: call.steps + 1,
  ...(step.kind === 'tool' && { last: oneLine(`${step.name} ${step.summary}`, lineLength / 2) }),
});

const isRunning = (call: KeptCall): boolean => call.status === 'running';

/** A later item may still change its line. */
export const mayChange = (call: KeptCall): boolean => isRunning(call) || call.isBackground === true;

const lineOf = (call: KeptCall): string => {
  const steps =
    call.steps === 0
      ? ''
      : ` · ${call.steps} ${call.steps === 1 ? 'step' : 'steps'}${
          call.last === undefined || !isRunning(call) ? '' : `, now ${call.last}`
        }`;
  const icon = call.isBackground === true && call.status === 'done' ? '↪' : icons[call.status];
  return `${icon} ${call.line}${steps}`;
};

/** Consecutive calls as one message that is edited as they go on (P1). */
export const presentActivity = (calls: readonly KeptCall[]): OutboundMessage => {
  const ordered = [...calls].sort((a, b) => a.o - b.o);
  const hidden = ordered.slice(0, -mostLines);
  const failed = hidden.filter((call) => call.status === 'failed').length;
  const earlier =
    hidden.length === 0
      ? []
      : [
          `… ${hidden.length} earlier ${hidden.length === 1 ? 'call' : 'calls'}${failed === 0 ? '' : `, ${failed} failed`}`,
        ];
  return { type: 'activity', lines: [...earlier, ...ordered.slice(-mostLines).map(lineOf)] };
};

/** One call with what went in and came out, for `full`. */
export const presentCall = (item: ToolItem, call: KeptCall): OutboundMessage => {
  const details = [
    item.diff === undefined ? fenced(item.input, 'json') : fenced(item.diff, 'diff'),
    ...(item.output === undefined || item.output === '' ? [] : [fenced(item.output)]),
  ];
  return { type: 'activity', lines: [lineOf(call)], details: details.join('\n') };
};
