import type { DialogQuestion } from '../../bridge/model/conversation.ts';

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [k: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** What an approval dialog shows around a tool call. */
export interface ApprovalText {
  /** "Bash command", "Create file". */
  readonly title: string;
  readonly note?: string;
  readonly body: readonly string[];
  readonly question: string;
  /** The last one is "No". */
  readonly options: readonly string[];
}

export interface ToolStep {
  readonly type: 'tool';
  readonly name: string;
  readonly input: JsonObject;
  /** Text of the result. */
  readonly output: string;
  /** The structured `toolUseResult` of the row. */
  readonly result: Json;
  /** How long it runs, ms. */
  readonly ms: number;
  /** One line on the screen: what was done. */
  readonly shows: string;
  /** Set: asks first. */
  readonly approval?: ApprovalText;
}

/** What comes after an answer: the first branch whose `answer` occurs in it, else `otherwise`. */
export interface Branch {
  readonly answer: string;
  readonly steps: readonly Step[];
}

/** One thing that the scripted agent does in a turn. In texts `{result}` is the last result, `{prompt}` what was said to it. */
export type Step =
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'think'; readonly text: string }
  | { readonly type: 'say'; readonly text: string; readonly ms?: number }
  | ToolStep
  | {
      readonly type: 'ask';
      readonly questions: readonly DialogQuestion[];
      readonly branches?: readonly Branch[];
      readonly otherwise?: readonly Step[];
    }
  | { readonly type: 'plan'; readonly plan: string; readonly file?: string }
  | { readonly type: 'fail'; readonly status: number; readonly message: string };

/** A prompt that comes by itself, as if a person typed it, once the run has been idle for `afterMs`. */
export interface Scene {
  readonly afterMs: number;
  readonly prompt: string;
  readonly steps: readonly Step[];
}

/** What a scripted run does: its own scenes in order, and what it answers to anything else. */
export interface Script {
  readonly name: string;
  readonly scenes: readonly Scene[];
  /** Begin again after the last scene. */
  readonly isLoop: boolean;
  /** Steps for a prompt that is no `#command`; absent: `ACK {prompt}`. */
  readonly reply?: readonly Step[];
}

export const plainScript: Script = { name: 'plain', scenes: [], isLoop: false };
