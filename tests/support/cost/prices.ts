/**
 * A price in US dollars for one unit above the monthly free amount, in us-central1. The prices were written from memory
 * and compared with stored copies of Google's pages; docs/cost.md gives their dates.
 */
interface Price {
  /** Free units in a month. */
  readonly free: number;
  /** Dollars for one unit from that many units in a month, in ascending order. */
  readonly tiers: readonly (readonly [from: number, dollars: number])[];
}

const flat = (dollars: number, free = 0): Price => ({ free, tiers: [[0, dollars]] });

const perHundredThousand = (dollars: number, freeADay: number): Price =>
  flat(dollars / 100_000, freeADay * 30);

export const prices = {
  firestoreReads: perHundredThousand(0.03, 50_000),
  firestoreWrites: perHundredThousand(0.09, 20_000),
  firestoreGib: flat(0.15, 1),
  firestoreEgressGib: flat(0.12, 10),
  storageGb: flat(0.02, 5),
  storageEgressGb: flat(0.12, 100),
  storageClassA: flat(0.05 / 10_000, 5_000),
  storageClassB: flat(0.004 / 10_000, 50_000),
  hostingEgressGb: flat(0.15, 10.8),
  functionCalls: flat(0.4 / 1_000_000, 2_000_000),
  functionGibSeconds: flat(0.000_002_5, 360_000),
  functionCpuSeconds: flat(0.000_024, 180_000),
  speechMinutes: {
    free: 60,
    tiers: [
      [0, 0.016],
      [500_000, 0.01],
      [1_000_000, 0.008],
      [2_000_000, 0.004],
    ],
  },
} as const satisfies Readonly<Record<string, Price>>;

/** Returns the price in dollars of that many units in a month. */
export function dollarsFor({ free, tiers }: Price, units: number): number {
  const billed = Math.max(0, units - free);
  return tiers.reduce((sum, [from, dollars], at) => {
    const until = tiers[at + 1]?.[0] ?? Infinity;
    return sum + Math.max(0, Math.min(billed, until) - from) * dollars;
  }, 0);
}
