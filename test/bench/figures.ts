import { cpus, release, totalmem } from 'node:os';

/** What one benchmark found: a table for people, and the same for programs. */
export interface Figures {
  readonly name: string;
  /** What was measured, and against what. */
  readonly what: string;
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** Ratios that a run of another day or machine can be compared with; smaller is better. */
  readonly ratios: Readonly<Record<string, number>>;
}

export interface BenchOptions {
  /** Small inputs and few rounds: for the regression check. */
  readonly isShort: boolean;
  /** How long memory is watched for growth. */
  readonly minutes: number;
}

export type Bench = (options: BenchOptions) => Promise<Figures>;

/** The quantile `q` (0 to 1) by nearest rank; NaN of nothing. */
export const quantile = (values: readonly number[], q: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** With so many digits as are worth reading. */
export const rounded = (value: number): number => Number(value.toPrecision(3));

/** ms that `work` took. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

/**
 * Runs rivals in turn, so that what else the machine does meets all of them alike, and gives the
 * median ms of each.
 */
export const sideBySide = async <Name extends string>(
  rounds: number,
  rivals: Readonly<Record<Name, () => Promise<unknown>>>,
): Promise<Record<Name, number>> => {
  const names = Object.keys(rivals) as Name[];
  const took = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) took.get(name)?.push(await timed(rivals[name]));
  }
  return Object.fromEntries(names.map((name) => [name, median(took.get(name) ?? [])])) as Record<
    Name,
    number
  >;
};

/** The machine, since absolute figures mean nothing without it. */
export const machine = (): string => {
  const all = cpus();
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown CPU'}, ${Math.round(
    totalmem() / 2 ** 30,
  )} GB, ${process.platform} ${release()}, Node ${process.version}`;
};
