import { randomUUID } from 'node:crypto';
import type { DeliveryView } from '../../src/bridge/model/chat.ts';
import type { ItemWindow } from '../../src/bridge/model/commands.ts';
import type { Item } from '../../src/bridge/model/conversation.ts';
import type { DialogAnswer } from '../../src/bridge/model/delivery.ts';
import type { RunSummary } from '../../src/bridge/model/run-state.ts';

/** Asks until `check` gives something; the message says what was waited for and what was there last. */
export const eventually = async <T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
  withinMs = 15_000,
): Promise<T> => {
  const until = Date.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await check();
      if (value !== undefined) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`not within ${withinMs} ms: ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** The page's own interface, used as the browser does. */
export class PageClient {
  readonly #origin: string;
  #cookie = '';

  private constructor(origin: string) {
    this.#origin = origin;
  }

  /** `link`: the address with the token, as it is printed at the start. */
  static async login(link: string): Promise<PageClient> {
    const url = new URL(link);
    const client = new PageClient(url.origin);
    const token = url.hash.replace('#token=', '');
    const answer = await client.#send('POST', '/api/login', { token });
    client.#cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return client;
  }

  async #send(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        ...(method === 'POST' ? { origin: this.#origin, 'content-type': 'application/json' } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  async #get<T>(path: string): Promise<T> {
    const answer = await this.#send('GET', path);
    return (await answer.json()) as T;
  }

  async runs(): Promise<readonly RunSummary[]> {
    return (await this.#get<{ runs: readonly RunSummary[] }>('/api/runs')).runs;
  }

  async run(run: string): Promise<RunSummary> {
    return (await this.#get<{ run: RunSummary }>(`/api/runs/${run}`)).run;
  }

  /** Waits for the run of a process. */
  runOf(pid: number, withinMs?: number): Promise<RunSummary> {
    return eventually(
      `a run of pid ${pid}`,
      async () => (await this.runs()).find((run) => run.pid === pid && run.state.name !== 'ended'),
      withinMs,
    );
  }

  /** Waits for a run, whichever comes first. */
  anyRun(withinMs?: number): Promise<RunSummary> {
    return eventually('a run', async () => (await this.runs())[0], withinMs);
  }

  /** Waits until the run's state has this name. */
  async state(
    run: string,
    name: RunSummary['state']['name'],
    withinMs?: number,
  ): Promise<RunSummary> {
    let last: unknown;
    try {
      return await eventually(
        `run ${run} is ${name}`,
        async () => {
          const now = await this.run(run);
          last = now.state;
          return now.state.name === name ? now : undefined;
        },
        withinMs,
      );
    } catch (error) {
      throw new Error(`run ${run} never was ${name}; it is ${JSON.stringify(last)}`, {
        cause: error,
      });
    }
  }

  /** The newest items before a place, or the newest of all. */
  window(run: string, before?: number, limit = 200): Promise<ItemWindow> {
    const place = before === undefined ? '' : `&before=${before}`;
    return this.#get<ItemWindow>(`/api/runs/${run}/items?limit=${limit}${place}`);
  }

  async items(run: string): Promise<readonly Item[]> {
    return (await this.#get<ItemWindow>(`/api/runs/${run}/items?limit=200`)).items;
  }

  async deliveries(run: string): Promise<readonly DeliveryView[]> {
    return (await this.#get<{ deliveries: readonly DeliveryView[] }>(`/api/runs/${run}/deliveries`))
      .deliveries;
  }

  async #act(path: string, body: object): Promise<string> {
    const answer = await this.#send('POST', path, { key: randomUUID(), ...body });
    return ((await answer.json()) as { key: string }).key;
  }

  /** Gives the key by which the delivery is found. */
  reply(run: string, text: string): Promise<string> {
    return this.#act(`/api/runs/${run}/reply`, { text });
  }

  answer(run: string, dialog: string, answer: DialogAnswer): Promise<string> {
    return this.#act(`/api/runs/${run}/answer`, { dialog, answer });
  }

  interrupt(run: string, turn: string | undefined): Promise<string> {
    return this.#act(`/api/runs/${run}/interrupt`, turn === undefined ? {} : { turn });
  }

  continue(run: string): Promise<string> {
    return this.#act(`/api/runs/${run}/continue`, {});
  }

  sendAgain(run: string, delivery: string): Promise<string> {
    return this.#act(`/api/deliveries/${delivery}/send-again`, { run });
  }

  discard(run: string, delivery: string): Promise<string> {
    return this.#act(`/api/deliveries/${delivery}/discard`, { run });
  }

  useAsAnswer(run: string, delivery: string, dialog: string): Promise<string> {
    return this.#act(`/api/deliveries/${delivery}/use-as-answer`, { run, dialog });
  }

  /** Waits until the delivery of an event has one of these outcomes. */
  async outcome(
    run: string,
    key: string,
    wanted: DeliveryView['outcome']['status'] | readonly DeliveryView['outcome']['status'][],
    withinMs = 25_000,
  ): Promise<DeliveryView> {
    let last: DeliveryView | undefined;
    const names = typeof wanted === 'string' ? [wanted] : wanted;
    try {
      return await eventually(
        `delivery ${key} is ${names.join(' or ')}`,
        async () => {
          last = (await this.deliveries(run)).find((d) => d.eventKey === key);
          return last !== undefined && names.includes(last.outcome.status) ? last : undefined;
        },
        withinMs,
      );
    } catch (error) {
      throw new Error(
        `delivery ${key} never was ${names.join(' or ')}; it is ${JSON.stringify(last)}`,
        {
          cause: error,
        },
      );
    }
  }
}
