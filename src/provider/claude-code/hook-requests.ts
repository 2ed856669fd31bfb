import type { DialogItem, ToolItem } from '../../bridge/model/conversation.ts';
import { jsonText } from './fold-tool.ts';
import type { HookInput, HookReport } from './hook-input.ts';

/** A hook that waits for the answer of one dialog. */
export interface HookRequest {
  readonly at: number;
  readonly input: HookInput;
  /** Of the call that it asks about, once it is known; it never becomes another one. */
  call: string | undefined;
  /** Prints the answer and ends the hook. False: the hook is gone. */
  readonly answer: (output: string) => boolean;
  /** Ends the hook without an answer. */
  readonly dismiss: () => void;
  /** Tells the hook which call it asks about, for a bridge that comes after this one. */
  readonly note: (call: string) => void;
}

type OpenCall = DialogItem | ToolItem;

/** Id of the call in the transcript: `toolu_…`. */
export const callOf = (item: OpenCall): string => (item.kind === 'dialog' ? item.dialog : item.id);

/** The bounded input of an item is compared, so is this. */
const inputUnits = 64_000;

const isAbout = (input: HookInput, item: OpenCall): boolean => {
  if (item.kind === 'tool')
    return (
      item.name === input.tool_name &&
      item.input.slice(0, inputUnits) === jsonText(input.tool_input).slice(0, inputUnits)
    );
  const { content } = item;
  switch (input.tool_name) {
    // The hook sees `{allowedPrompts: []}` where the row has the plan.
    case 'ExitPlanMode':
      return (
        content.type === 'plan' || (content.type === 'unknown' && content.tool === 'ExitPlanMode')
      );
    case 'AskUserQuestion': {
      if (content.type !== 'question') return false;
      const asked = (input.tool_input as { readonly questions?: readonly { question?: unknown }[] })
        .questions;
      return (
        asked?.length === content.questions.length &&
        content.questions.every((q, n) => q.question === asked[n]?.question)
      );
    }
    default:
      return false;
  }
};

/**
 * Which open call a request asks about. PURE. A hook starts after its call was written, so that a
 * call that is younger than the hook is never its own: the hook of a dialog that was answered at the
 * terminal cannot take the same question when it is asked again. Of several the newest.
 */
export const callFor = (
  request: Pick<HookReport, 'at' | 'input'>,
  open: readonly OpenCall[],
): string | undefined => {
  const found = open
    .filter((item) => item.at <= request.at && isAbout(request.input, item))
    .sort((a, b) => a.at - b.at || a.order - b.order)
    .at(-1);
  return found && callOf(found);
};

/** Of several hooks for one call (installed twice) the first that came answers; all end with it. */
export class HookRequests {
  readonly #waiting = new Set<HookRequest>();
  /** Reports of PreToolUse: the only ones that name their call. */
  readonly #calls: { readonly report: HookReport; readonly call: string }[] = [];

  /** The call is about to be asked for. */
  announce(report: HookReport): void {
    const call = report.input.tool_use_id;
    if (call === undefined) return;
    this.#calls.push({ report, call });
    if (this.#calls.length > mostCalls) this.#calls.shift();
  }

  add(request: HookRequest): void {
    this.#waiting.add(request);
    const { input, at } = request;
    const told = this.#calls.findLast(
      ({ report }) =>
        report.input.session_id === input.session_id &&
        report.input.tool_name === input.tool_name &&
        report.at <= at &&
        jsonText(report.input.tool_input) === jsonText(input.tool_input),
    );
    if (request.call === undefined && told !== undefined) this.#bind(request, told.call);
  }

  remove(request: HookRequest): void {
    this.#waiting.delete(request);
  }

  /**
   * What the transcript of a session has open now: binds requests, and ends those that are settled.
   * `staleBefore` (ms since the epoch): the agent waits for nobody; what was asked before is over. A
   * call that was allowed at the terminal stays open while it runs, and its hook is not ended by
   * Claude Code.
   */
  reconcile(
    session: string,
    open: readonly OpenCall[],
    wasOpen: ReadonlySet<string>,
    staleBefore = 0,
  ): void {
    const calls = new Set(open.map(callOf));
    for (const request of this.#of(session)) {
      const call = request.call ?? callFor(request, open);
      if (call === undefined) continue;
      if (request.call === undefined) this.#bind(request, call);
      // A call that the transcript does not have yet is not settled.
      const isSettled = !calls.has(call) && wasOpen.has(call);
      if (isSettled || request.at < staleBefore) this.dismiss(request);
    }
  }

  /** A hook that waits for this call. */
  for(session: string, call: string): HookRequest | undefined {
    return this.#of(session).find((request) => request.call === call);
  }

  /** Calls of this session for which a hook waits, in the order in which they were asked for. */
  asked(session: string): readonly HookRequest[] {
    return this.#of(session)
      .filter((request) => request.call !== undefined)
      .sort((a, b) => a.at - b.at);
  }

  dismiss(request: HookRequest): void {
    this.remove(request);
    request.dismiss();
  }

  /** Gives the answer to one hook of this call and ends the others. False: none was there to take it. */
  answer(session: string, call: string, output: string): boolean {
    const waiting = this.#of(session).filter((request) => request.call === call);
    let isTaken = false;
    for (const request of waiting) {
      this.remove(request);
      if (isTaken) request.dismiss();
      else isTaken = request.answer(output);
    }
    return isTaken;
  }

  get all(): readonly HookRequest[] {
    return [...this.#waiting];
  }

  #bind(request: HookRequest, call: string): void {
    request.call = call;
    request.note(call);
  }

  #of(session: string): readonly HookRequest[] {
    return [...this.#waiting].filter((request) => request.input.session_id === session);
  }
}

const mostCalls = 200;
