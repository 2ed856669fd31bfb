/**
 * @typedef {import('./api.js').DeliveryView} DeliveryView
 * @typedef {import('./outbox.js').Sent} Sent
 * @typedef {import('../../../bridge/model/conversation.ts').Item} Item
 * @typedef {{ type: 'sent', key: string, sent: Sent } | { type: 'delivery', key: string, delivery: DeliveryView }} Receipt
 */

const REFUSED_MS = 15 * 60_000;
const NOTE_MS = 5 * 60_000;
const DONE_MS = 20_000;

/**
 * Which user text in the transcript is which delivery: the same words, after it was sent, each once.
 * @param {readonly Item[]} items
 * @param {readonly DeliveryView[]} deliveries
 * @returns {Map<string, DeliveryView>} by item id
 */
export const matchDeliveries = (items, deliveries) => {
  const proved = deliveries.filter(
    (one) => one.kind === 'reply' && one.text !== '' && one.outcome.status === 'confirmed',
  );
  /** @type {Map<string, DeliveryView>} */
  const found = new Map();
  if (proved.length === 0) return found;
  const said = items.filter((item) => item.kind === 'text' && item.role === 'user');
  for (const delivery of proved) {
    const match = said.find(
      (item) =>
        item.kind === 'text' &&
        !found.has(item.id) &&
        item.text.trim() === delivery.text.trim() &&
        item.at >= delivery.createdAt - 5_000,
    );
    if (match !== undefined) found.set(match.id, delivery);
  }
  return found;
};

/**
 * @param {DeliveryView} delivery
 * @param {boolean} isInTranscript
 * @param {number} now
 */
const isShown = (delivery, isInTranscript, now) => {
  const since = now - delivery.updatedAt;
  switch (delivery.outcome.status) {
    case 'waiting':
    case 'held':
    case 'queued':
    case 'returned':
    case 'unknown':
      return true;
    case 'refused':
      return since < REFUSED_MS;
    case 'confirmed':
      if (delivery.explanation !== undefined) return since < NOTE_MS;
      return delivery.kind === 'reply' && !isInTranscript && since < DONE_MS;
  }
};

/**
 * What is on its way or needs a look: shown under the thread, oldest first. What the transcript
 * holds stands there and not here.
 * @param {{ deliveries: readonly DeliveryView[], sent: readonly Sent[], matched: ReadonlyMap<string, DeliveryView>, dismissed: ReadonlySet<string>, now: number }} of
 * @returns {Receipt[]}
 */
export const toReceipts = ({ deliveries, sent, matched, dismissed, now }) => {
  const inTranscript = new Set([...matched.values()].map((one) => one.id));
  const known = new Set(deliveries.map((one) => one.eventKey));
  /** @type {{ at: number, receipt: Receipt }[]} */
  const all = [];
  for (const delivery of deliveries) {
    const key = `${delivery.id}:${delivery.outcome.status}`;
    if (dismissed.has(key) || !isShown(delivery, inTranscript.has(delivery.id), now)) continue;
    all.push({ at: delivery.createdAt, receipt: { type: 'delivery', key, delivery } });
  }
  for (const one of sent) {
    if (known.has(`web:${one.key}`)) continue;
    // What became no delivery of its own (a button) needs no receipt once the bridge has it.
    if (one.state === 'accepted' && one.what === 'other') continue;
    all.push({ at: one.at, receipt: { type: 'sent', key: `sent:${one.key}`, sent: one } });
  }
  return all.sort((a, b) => a.at - b.at).map(({ receipt }) => receipt);
};
