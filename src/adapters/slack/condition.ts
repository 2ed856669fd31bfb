import type { BridgeError } from '../../bridge/model/errors.ts';
import type { AdapterHealth } from '../../bridge/ports/chat-adapter.ts';
import type { Log } from '../../bridge/ports/log.ts';

type ChannelState = 'archived' | 'open' | 'left' | 'gone';

const channelWords: Readonly<Record<Exclude<ChannelState, 'open'>, string>> = {
  archived: 'is archived: unarchive it, or remove it from the configuration',
  left: 'does not have the bot any more: invite it again with /invite @afk-bridge',
  gone: 'was deleted: remove it from the configuration',
};

const REVOKED =
  'Slack has taken the token back or the app was uninstalled. Install the app again and set the new bot token.';

/** How it stands between us and Slack, in sentences for the operator; each change is logged once. */
export class Condition {
  readonly #log: Log;
  #connection: 'starting' | 'up' | 'down' | 'stopped' = 'starting';
  #why = '';
  #others = 0;
  #isRevoked = false;
  #missingScopes: readonly string[] = [];
  readonly #channels = new Map<string, Exclude<ChannelState, 'open'>>();

  constructor(log: Log) {
    this.#log = log;
  }

  up(others: number): void {
    if (this.#connection !== 'up') this.#log.info({}, 'connected to Slack');
    if (others > 0 && others !== this.#others) this.#log.warn({ others }, `${othersWords(others)}`);
    this.#connection = 'up';
    this.#why = '';
    this.#others = others;
  }

  down(error: BridgeError): void {
    const why = error.userMessage ?? error.message;
    if (this.#why !== why) this.#log.warn({ err: error }, `no connection to Slack: ${why}`);
    this.#connection = 'down';
    this.#why = why;
  }

  stopped(): void {
    this.#connection = 'stopped';
  }

  revoked(): void {
    if (!this.#isRevoked) this.#log.error({}, REVOKED);
    this.#isRevoked = true;
  }

  /** Slack knows us again. */
  recognised(missingScopes: readonly string[]): void {
    this.#isRevoked = false;
    const isNews = missingScopes.join() !== this.#missingScopes.join();
    if (isNews && missingScopes.length > 0)
      this.#log.warn({ missingScopes }, scopesWords(missingScopes));
    this.#missingScopes = missingScopes;
  }

  channel(channel: string, state: ChannelState): void {
    if (state === 'open') this.#channels.delete(channel);
    else {
      this.#channels.set(channel, state);
      this.#log.warn({ channel }, `Slack channel ${channel} ${channelWords[state]}`);
    }
  }

  health(authTrouble: BridgeError | undefined): AdapterHealth {
    const troubles = [
      ...(this.#isRevoked ? [REVOKED] : []),
      ...(authTrouble === undefined ? [] : [authTrouble.userMessage ?? authTrouble.message]),
      ...(this.#others > 0 ? [othersWords(this.#others)] : []),
      ...(this.#missingScopes.length > 0 ? [scopesWords(this.#missingScopes)] : []),
      ...[...this.#channels].map(([id, state]) => `Channel ${id} ${channelWords[state]}.`),
    ];
    const isUp = this.#connection === 'up';
    const base = {
      starting: 'Connecting to Slack.',
      up: 'Connected to Slack.',
      down: `Not connected to Slack: ${this.#why} It is tried again.`,
      stopped: 'Stopped.',
    }[this.#connection];
    return {
      isConnected: isUp && !this.#isRevoked && authTrouble?.code !== 'auth',
      detail: [...new Set([base, ...troubles])].join(' '),
    };
  }
}

const othersWords = (others: number): string =>
  `Slack counts ${others} more ${others === 1 ? 'connection' : 'connections'} with this app token: another program takes part of the messages. Stop it, or give each its own app.`;

const scopesWords = (missing: readonly string[]): string =>
  `The app lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}: update it from the manifest and install it again.`;
