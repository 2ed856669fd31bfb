/**
 * @typedef {import('../../../bridge/model/run-state.ts').RunSummary & { replyIs: 'delivered' | 'queued' | 'held' | 'refused' }} RunView
 * @typedef {import('../../../bridge/model/commands.ts').ItemWindow} ItemWindow
 * @typedef {import('../../../bridge/model/chat.ts').DeliveryView} DeliveryView
 */

/** The bridge said no. `status` 0: it could not be reached. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message a sentence for a person
   */
  constructor(status, code, message) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }

  /** The same request may succeed later. */
  get isTransient() {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

const TIMEOUT_MS = 20_000;

/**
 * @param {string} path
 * @param {RequestInit} init
 * @returns {Promise<unknown>}
 */
const call = async (path, init) => {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(path, {
      ...init,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new ApiError(0, 'offline', 'The bridge cannot be reached right now.');
  }
  const body = await response.json().catch(() => undefined);
  if (response.ok) return body;
  const error = body?.error ?? {};
  throw new ApiError(
    response.status,
    error.code ?? 'failed',
    error.message ?? `The bridge answered ${response.status}.`,
  );
};

/** @param {string} path */
const get = (path) => call(path, {});

/**
 * @param {string} path
 * @param {object} body
 */
export const post = (path, body) =>
  call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** @param {string} run */
const of = (run) => `/api/runs/${encodeURIComponent(run)}`;

/** @returns {Promise<RunView[]>} */
export const fetchRuns = async () =>
  /** @type {{ runs: RunView[] }} */ (await get('/api/runs')).runs;

/**
 * @param {string} run
 * @returns {Promise<RunView | undefined>} undefined: not known any more
 */
export const fetchRun = async (run) => {
  try {
    return /** @type {{ run: RunView }} */ (await get(of(run))).run;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
};

/**
 * @param {string} run
 * @param {number} [before]
 * @returns {Promise<ItemWindow>}
 */
export const fetchItems = async (run, before) =>
  /** @type {ItemWindow} */ (
    await get(`${of(run)}/items?limit=60${before === undefined ? '' : `&before=${before}`}`)
  );

/**
 * @param {string} run
 * @param {string} cursor
 * @returns {Promise<ItemWindow>}
 */
export const fetchChanges = async (run, cursor) =>
  /** @type {ItemWindow} */ (await get(`${of(run)}/changes?cursor=${encodeURIComponent(cursor)}`));

/**
 * @param {string} run
 * @returns {Promise<DeliveryView[]>}
 */
export const fetchDeliveries = async (run) =>
  /** @type {{ deliveries: DeliveryView[] }} */ (await get(`${of(run)}/deliveries`)).deliveries;

/** One per thing that a person does; sent again with it, it is the same thing. */
export const newKey = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
};
