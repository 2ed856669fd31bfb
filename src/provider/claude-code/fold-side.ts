import { type ItemId, id } from '../../bridge/model/ids.ts';
import type { FoldState } from './fold-state.ts';
import { isAgentTool } from './fold-tool.ts';
import { wordsOf } from './fold-user.ts';
import type { ChainRow } from './schema.ts';

const REMEMBERED = 512;

const promptOfCall = (input: string): unknown => {
  try {
    return (JSON.parse(input) as { prompt?: unknown }).prompt;
  } catch {
    return undefined;
  }
};

/** Finds the call under which a subagent's rows fold when they stand in the main transcript. */
export class Sidechains {
  /** uuid of a chain's newest row, or an agent's id → the call. */
  readonly #calls = new Map<string, ItemId>();

  /** The call's item; rows whose call is unknown fold under a name of their own, so that they never read as the main conversation. */
  parentOf(state: FoldState, row: ChainRow): ItemId {
    const known =
      (row.agentId === undefined ? undefined : this.#calls.get(row.agentId)) ??
      (typeof row.parentUuid === 'string' ? this.#calls.get(row.parentUuid) : undefined);
    const call = known ?? this.#guess(state, row) ?? id<ItemId>(`subagent:${row.agentId ?? ''}`);
    if (row.agentId !== undefined) this.#remember(row.agentId, call);
    if (row.uuid !== undefined) this.#remember(row.uuid, call);
    if (typeof row.parentUuid === 'string') this.#calls.delete(row.parentUuid);
    return call;
  }

  #guess(state: FoldState, row: ChainRow): ItemId | undefined {
    const agents = [...state.calls.values()].flatMap(({ draft }) =>
      draft.kind === 'tool' && isAgentTool(draft.name) ? [draft] : [],
    );
    const words = row.type === 'user' ? wordsOf(row.message.content) : undefined;
    const same = agents.find((call) => promptOfCall(call.input) === words);
    return (same ?? agents.at(-1))?.id;
  }

  #remember(key: string, call: ItemId): void {
    this.#calls.set(key, call);
    if (this.#calls.size > REMEMBERED) {
      const [oldest] = this.#calls.keys();
      if (oldest !== undefined) this.#calls.delete(oldest);
    }
  }
}
