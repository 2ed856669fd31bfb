/**
 * @typedef {import('../../../bridge/model/conversation.ts').Item} Item
 * @typedef {{ items: readonly Item[], cursor: string, before: number | undefined, isGone: boolean }} Thread
 */

/** @type {Thread} */
export const EMPTY = { items: [], cursor: '', before: undefined, isGone: false };

/**
 * Items of both, each once: the same id with another digest is a revision and replaces. Sessions
 * (a `/clear` begins a new one, and its offsets at 0) stand in the order in which they began.
 * @param {readonly Item[]} known
 * @param {readonly Item[]} news
 * @returns {readonly Item[]} `known` itself when nothing changed
 */
export const mergeItems = (known, news) => {
  const byId = new Map(known.map((item) => [item.id, item]));
  let isChanged = false;
  for (const item of news) {
    if (byId.get(item.id)?.digest === item.digest) continue;
    byId.set(item.id, item);
    isChanged = true;
  }
  if (!isChanged) return known;
  /** @type {Map<string, number>} */
  const began = new Map();
  for (const item of byId.values()) {
    began.set(item.session, Math.min(began.get(item.session) ?? Number.POSITIVE_INFINITY, item.at));
  }
  const start = (/** @type {Item} */ item) => began.get(item.session) ?? 0;
  return [...byId.values()].sort(
    (a, b) =>
      (a.session === b.session ? 0 : start(a) - start(b) || (a.session < b.session ? -1 : 1)) ||
      a.order - b.order,
  );
};

/**
 * @typedef {{ kind: 'text', key: string, item: Extract<Item, { kind: 'text' }> }
 *   | { kind: 'dialog', key: string, item: Extract<Item, { kind: 'dialog' }> }
 *   | { kind: 'lifecycle', key: string, item: Extract<Item, { kind: 'lifecycle' }> }
 *   | { kind: 'activity', key: string, items: readonly Item[] }} Block
 */

/**
 * Items as they are read: consecutive tool calls are one activity, what a subagent did folds under
 * the call that started it (`childrenOf`), thinking is left out unless asked for.
 * @param {readonly Item[]} items
 * @param {boolean} showsThinking
 */
export const toBlocks = (items, showsThinking) => {
  const ids = new Set(items.map((item) => item.id));
  /** @type {Map<string, Item[]>} */
  const children = new Map();
  /** @type {Block[]} */
  const blocks = [];
  for (const item of items) {
    if (item.kind === 'text' && item.origin === 'thinking' && !showsThinking) continue;
    if (item.parent !== undefined && ids.has(item.parent)) {
      const siblings = children.get(item.parent);
      if (siblings === undefined) children.set(item.parent, [item]);
      else siblings.push(item);
      continue;
    }
    const last = blocks.at(-1);
    // The call that started an orphan is further up, not loaded yet: it folds all the same.
    if (item.kind === 'tool' || item.parent !== undefined) {
      if (last?.kind === 'activity') {
        blocks[blocks.length - 1] = { ...last, items: [...last.items, item] };
      } else blocks.push({ kind: 'activity', key: `activity:${item.id}`, items: [item] });
    } else if (item.kind === 'text') blocks.push({ kind: 'text', key: item.id, item });
    else if (item.kind === 'dialog') blocks.push({ kind: 'dialog', key: item.id, item });
    else blocks.push({ kind: 'lifecycle', key: item.id, item });
  }
  return { blocks, childrenOf: (/** @type {string} */ id) => children.get(id) ?? [] };
};
