const QUIET_MS = 40_000;
const RETRY_MAX_MS = 15_000;

/**
 * Listens to `/api/events` for as long as the page is open. The browser reconnects by itself after
 * a lost connection; after an HTTP error, or when no heartbeat comes, it is done here.
 * @param {{
 *   onHello: () => void,
 *   onRun: (run: string) => void,
 *   onList: () => void,
 *   onLost: () => void,
 * }} on `onHello`: connected (again), read everything anew
 */
export const listen = (on) => {
  /** @type {EventSource | undefined} */
  let source;
  let retryMs = 1_000;
  /** @type {number | undefined} */
  let timer;
  let heardAt = Date.now();

  const again = () => {
    source?.close();
    source = undefined;
    window.clearTimeout(timer);
    timer = window.setTimeout(open, retryMs);
    retryMs = Math.min(retryMs * 2, RETRY_MAX_MS);
  };

  const open = () => {
    source?.close();
    const fresh = new EventSource('/api/events');
    source = fresh;
    heardAt = Date.now();
    const heard = () => {
      heardAt = Date.now();
    };
    fresh.addEventListener('hello', () => {
      heard();
      retryMs = 1_000;
      on.onHello();
    });
    fresh.addEventListener('beat', heard);
    fresh.addEventListener('list', () => {
      heard();
      on.onList();
    });
    fresh.addEventListener('run', (event) => {
      heard();
      on.onRun(JSON.parse(event.data).run);
    });
    fresh.addEventListener('error', () => {
      on.onLost();
      // CLOSED: the server answered with an error; the browser will not try again.
      if (fresh.readyState === EventSource.CLOSED && source === fresh) again();
    });
  };

  open();
  // A connection that died without a word (sleep, a changed network) shows only by its silence.
  window.setInterval(() => {
    if (source !== undefined && Date.now() - heardAt > QUIET_MS) {
      on.onLost();
      again();
    }
  }, 5_000);
  const wake = () => {
    if (document.visibilityState === 'visible' && Date.now() - heardAt > 20_000) open();
  };
  document.addEventListener('visibilitychange', wake);
  window.addEventListener('online', open);
};
