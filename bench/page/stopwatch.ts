import { entriesOf, recordOf } from '../record.ts';

/** @returns how long the work took, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

type Variants<Name extends string> = Readonly<Record<Name, () => Promise<number>>>;

export interface TurnsRequest<Name extends string> {
  readonly variants: Variants<Name>;
  /** Run first and not counted: they pay for code that is compiled and connections that are opened. */
  readonly warmUps: number;
  readonly turns: number;
}

/** Runs the variants in turns, so that whatever else the machine does hits all of them alike. */
export async function inTurns<Name extends string>({
  variants,
  warmUps,
  turns,
}: TurnsRequest<Name>): Promise<Readonly<Record<Name, readonly number[]>>> {
  const names = entriesOf(variants).map(([name]) => name);
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let turn = 0; turn < warmUps + turns; turn += 1) {
    // Another one begins each time: the first pays for what the last left behind.
    const order = names.map((_, index) => names[(index + turn) % names.length]);
    for (const name of order) {
      if (name === undefined) continue;
      const ms = await variants[name]();
      if (turn >= warmUps) samples.get(name)?.push(ms);
    }
  }
  return recordOf<Name, readonly number[]>(samples);
}
