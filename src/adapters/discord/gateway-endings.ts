/** A dispatch as it comes over the wire. */
export interface Packet {
  readonly t: string;
  readonly d: unknown;
}

/** Why a connection ended for good. */
export interface Ending {
  /** A sentence for the operator, with the remedy where there is one. */
  readonly detail: string;
  /** Trying again soon is of no use. */
  readonly needsOperator: boolean;
}

const tokenWords =
  'Discord does not accept the bot token: reset it in the Developer Portal (Bot, Reset Token) and put the new one into the configuration.';
const intentWords =
  'Discord refuses the Message Content intent: switch on "Message Content Intent" in the Developer Portal (Bot, Privileged Gateway Intents).';

/** Close codes after which Discord takes no further try of the same kind. */
export const endingOfClose = (code: number): Ending => {
  if (code === 4004) return { detail: tokenWords, needsOperator: true };
  if (code === 4013 || code === 4014) return { detail: intentWords, needsOperator: true };
  return { detail: `Discord closed the connection for good (${code}).`, needsOperator: true };
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Why a login failed. */
export const endingOfLogin = (error: unknown): Ending => {
  const text = error instanceof Error ? error.message : String(error);
  if (codeOf(error) === 'TokenInvalid') return { detail: tokenWords, needsOperator: true };
  if (/disallowed intents/i.test(text)) return { detail: intentWords, needsOperator: true };
  return { detail: `Discord cannot be reached: ${text}`, needsOperator: false };
};
