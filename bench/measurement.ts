import { entriesOf, recordOf } from './record.ts';

export const parts = [
  'data',
  'rivals',
  'app',
  'start',
  'lighthouse',
  'sizes',
  'backend',
  'load',
] as const;
export type Part = (typeof parts)[number];

export type Unit =
  | 'ms'
  | 'frames'
  | 'points'
  | 'kB'
  | 'MB'
  | 'commits/s'
  | 'writes/s'
  | 'decisions/s'
  | 'commits'
  | 'streams';

/** One round: the app and the cheapest possible implementation, measured moments apart. */
export interface Pair {
  readonly ours: number;
  readonly limit: number;
}

/** A comparison is judged by its ratio, since other load on the machine affects both sides alike. */
export interface Comparison {
  readonly kind: 'comparison';
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly limitName: string;
  readonly rounds: readonly Pair[];
}

/** A number without a counterpart: a size, or a speed. */
export interface Amount {
  readonly kind: 'amount';
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly rounds: readonly number[];
}

/** Creates an amount from its rounds. */
export function amount(
  described: Pick<Amount, 'id' | 'name' | 'unit'>,
  rounds: readonly number[],
): Amount {
  return { kind: 'amount', ...described, rounds };
}

export const bytesPerMegabyte = 1e6;

export type Measurement = Comparison | Amount;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) throw new Error('There is no median of nothing');
  if (sorted.length % 2 === 1) return upper;
  return (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** Returns the median of each variant's samples. */
export function mediansOf<Name extends string>(
  samples: Readonly<Record<Name, readonly number[]>>,
): Record<Name, number> {
  return recordOf(entriesOf(samples).map(([name, values]) => [name, median(values)] as const));
}

export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export function spreadOf(values: readonly number[]): Spread {
  return { median: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
}

/** Returns the values that a budget limits: the ratios of a comparison, or the amounts. */
export function judgedValues(measurement: Measurement): readonly number[] {
  return measurement.kind === 'amount'
    ? measurement.rounds
    : measurement.rounds.map(({ ours, limit }) => ours / limit);
}
