/** All waits of the adapter, ms; tests shorten them. */
export interface DiscordTiming {
  /** How long a REST call may take. */
  readonly callTimeout: number;
  /** How long nothing is asked after a refused token. */
  readonly authPause: number;
  /** How long a connection may take until it is ready. */
  readonly connectTimeout: number;
  /** Pause after a failed connection; doubles up to `longestPause`. */
  readonly firstPause: number;
  readonly longestPause: number;
  /** Pause after Discord refused the token or an intent: only an operator can mend that. */
  readonly operatorPause: number;
  /** How long the Gateway may stay silent after one of our own posts. */
  readonly echoWithin: number;
  /** How long it may go without acknowledging a heartbeat (sent about every 41 s). */
  readonly heartbeatWithin: number;
  /** How often that is looked at. */
  readonly watchEvery: number;
  /** Between two identifications of one client; absent: the SDK's own 5 s. */
  readonly identifyPause?: number;
  readonly stopWithin: number;
}

export const realTiming: DiscordTiming = {
  callTimeout: 10_000,
  authPause: 30_000,
  connectTimeout: 45_000,
  firstPause: 1_000,
  longestPause: 60_000,
  operatorPause: 300_000,
  echoWithin: 20_000,
  heartbeatWithin: 100_000,
  watchEvery: 5_000,
  stopWithin: 2_000,
};
