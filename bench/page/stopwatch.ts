import { entriesOf, recordOf } from '../record.ts';

/** @returns the duration of the work, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

type Variants<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

export interface TurnsRequest<Name extends string> {
  readonly variants: Variants<Name>;
  /** Runs that come first and do not count: they compile code and open connections. */
  readonly warmUps: number;
  readonly turns: number;
}

/** Runs the variants in alternation, so that other load on the machine affects all of them alike. */
export async function inTurns<Name extends string>({
  variants,
  warmUps,
  turns,
}: TurnsRequest<Name>): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = entriesOf(variants).map(([name]) => name);
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    // Another variant begins each time, since the first pays for work that the last one left behind.
    const order = names.map((_, index) => names[(index + turn) % names.length]);
    for (const name of order) {
      if (name === undefined) continue;
      const ms = await variants[name]();
      if (turn >= warmUps) samples.get(name)?.push(ms);
    }
  }
  return recordOf<Name, readonly number[]>(samples);
}
