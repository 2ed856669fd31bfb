import type { ByHand } from '../provider/tmux/by-hand.ts';

/** What an agent was told as the result of one of its calls: an answer, a refusal, an output. */
export interface ToldResult {
  /** The call, as the transcript names it. */
  readonly call: string;
  readonly text: string;
}

/** One agent in a pane of the stage's own, and what really reached it. */
export interface StagedAgent {
  readonly pid: number;
  /** tmux pane id, `%0`. */
  readonly pane: string;
  /** A person at its terminal. */
  readonly hand: ByHand;
  /** Exact texts that the agent was given as a person's words, in order; one that was taken back stays. */
  received(): readonly string[];
  /** Results of its calls, in order. */
  told(): readonly ToldResult[];
  /** How many of its answers were cut off while they came. */
  cutOff(): number;
  end(): Promise<void>;
}

/**
 * Where the contract is played: a directory, a tmux server and agents of its own, one after the
 * other. The scripted TUI and the real Claude Code both have one; neither knows of the provider.
 */
export interface AgentStage {
  /** The agents' configuration directory, for the provider. */
  readonly configDir: string;
  /** The tmux server's socket, for the provider. */
  readonly socket: string;
  /** Real path of the agents' working directory. */
  readonly cwd: string;
  /** Returns when the process is there; whether it is ready is for the provider to find out. */
  start(): Promise<StagedAgent>;
  /** Ends everything and leaves nothing behind. */
  stop(): Promise<void>;
}
