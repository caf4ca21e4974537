import { bytesPerMegabyte, type Comparison, type Unit } from '../measurement.ts';
import type { RivalName } from '../page/rivals/rivals-page.ts';
import type { OfEach, RivalsRound } from './rivals-round.ts';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly unit: Unit;
  readonly of: (round: RivalsRound) => OfEach;
  /** The part of it that Dexie does, which has no sync. */
  readonly dexieDoes?: string;
}

function eachOf<Found>(
  { ours, dexie, firestore }: Readonly<Record<RivalName, Found>>,
  value: (found: Found) => number,
): OfEach {
  return { ours: value(ours), dexie: value(dexie), firestore: value(firestore) };
}

const rows: readonly Row[] = [
  {
    id: 'insert-0',
    name: 'a note until stored, 0 stored before',
    unit: 'ms',
    of: ({ insertInto }) => insertInto.none,
  },
  {
    id: 'insert-10000',
    name: 'a note until stored, 10,000 stored before',
    unit: 'ms',
    of: ({ insertInto }) => insertInto.many,
  },
  {
    id: 'seen-1000',
    name: 'a note until in the live newest 50 of 1,000',
    unit: 'ms',
    of: ({ seenOf }) => seenOf.few,
  },
  {
    id: 'seen-10000',
    name: 'a note until in the live newest 50 of 10,000',
    unit: 'ms',
    of: ({ seenOf }) => seenOf.many,
  },
  {
    id: 'cold-open',
    name: 'newest 50 of 10,000, browser just started',
    unit: 'ms',
    of: ({ coldOpen }) => coldOpen,
  },
  {
    id: 'first-sync',
    name: 'first sync of 10,000 from our server',
    unit: 'ms',
    of: ({ loaded }) => eachOf(loaded, ({ ms }) => ms),
    dexieDoes: 'stores only',
  },
  {
    id: 'push',
    name: 'push of 10,000 to our server',
    unit: 'ms',
    of: ({ push }) => push,
    dexieDoes: 'stores only',
  },
  {
    id: 'heap',
    name: 'memory for a live list of 10,000',
    unit: 'MB',
    of: ({ heapBytes }) => heapBytes,
  },
  {
    id: 'disk',
    name: 'disk for a journal of 10,000, just synced',
    unit: 'MB',
    of: ({ loaded }) => eachOf(loaded, ({ diskBytes }) => diskBytes),
  },
];

function beside(row: Row, rival: 'dexie' | 'firestore', rounds: readonly RivalsRound[]) {
  const divisor = row.unit === 'MB' ? bytesPerMegabyte : 1;
  const dexieName = row.dexieDoes === undefined ? 'Dexie' : `Dexie, ${row.dexieDoes}`;
  const comparison: Comparison = {
    kind: 'comparison',
    id: `${row.id}-${rival}`,
    name: row.name,
    unit: row.unit,
    limitName: rival === 'dexie' ? dexieName : "Firestore's cache",
    rounds: rounds.map(row.of).map((each) => ({
      ours: each.ours / divisor,
      limit: each[rival] / divisor,
    })),
  };
  return comparison;
}

export function rivalsMeasurements(rounds: readonly RivalsRound[]): Comparison[] {
  return rows.flatMap((row) => [beside(row, 'firestore', rounds), beside(row, 'dexie', rounds)]);
}
