/** One link of the chain from an agent to a person, as `doctor` shows it. */
export interface ChainLink {
  readonly name: string;
  /** `note`: it works, and something is worth knowing. `broken`: the bridge does not work with it. */
  readonly status: 'ok' | 'note' | 'broken';
  readonly says: string;
  /** What to do about it; one sentence. */
  readonly remedy?: string;
}
