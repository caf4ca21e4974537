import { bytesPerMegabyte, type Comparison, type Measurement, type Pair } from '../measurement.ts';
import type { DataRound } from './data-round.ts';
import { fewStored, manyStored, noneStored } from './journal-sizes.ts';

type Described = Pick<Comparison, 'id' | 'name' | 'limitName'> & { readonly unit?: 'ms' | 'MB' };

function compared({ unit = 'ms', ...described }: Described, rounds: readonly Pair[]): Comparison {
  return { kind: 'comparison', unit, ...described, rounds };
}

function found<Value>(values: ReadonlyMap<number, Value>, stored: number): Value {
  const value = values.get(stored);
  if (value === undefined) throw new Error(`Nothing was measured with ${stored} stored`);
  return value;
}

function insertRows(rounds: readonly DataRound[], stored: number): Measurement[] {
  const taken = rounds.map(({ inserts }) => found(inserts, stored));
  const name = `a note until stored, ${stored.toLocaleString('en-GB')} stored before`;
  return [
    compared(
      { id: `insert-strict-${stored}`, name, limitName: 'raw put, strict durability' },
      taken.map(({ ours, rawStrict }) => ({ ours, limit: rawStrict })),
    ),
    compared(
      { id: `insert-default-${stored}`, name, limitName: 'raw put, default durability' },
      taken.map(({ ours, rawDefault }) => ({ ours, limit: rawDefault })),
    ),
  ];
}

function seenRows(rounds: readonly DataRound[], stored: number): Measurement[] {
  const taken = rounds.map(({ seen }) => found(seen, stored));
  const size = stored.toLocaleString('en-GB');
  const limitName = 'raw commit and a list in memory';
  return [
    compared(
      { id: `seen-${stored}`, name: `a note until in the live newest 50 of ${size}`, limitName },
      taken.map(({ ours, limit }) => ({ ours, limit })),
    ),
    compared(
      {
        id: `seen-in-app-${stored}`,
        name: `the same of ${size}, with all that the app watches`,
        limitName,
      },
      taken.map(({ oursInApp, limit }) => ({ ours: oursInApp, limit })),
    ),
  ];
}

const listedPages = [
  { page: 'feed', name: 'an older page of 50 of 10,000 (scrolling)' },
  { page: 'waiting', name: 'a page of 100 waiting entries among 10,000 (push)' },
  { page: 'ofPet', name: 'a page of 100 of the 10,000 entries of a dog (deleting it)' },
  { page: 'all', name: 'a page of 100 of all 10,000 entries (restored server)' },
] as const;

function pageRows(rounds: readonly DataRound[]): Measurement[] {
  return listedPages.map(({ page, name }) =>
    compared(
      { id: `page-${page}`, name, limitName: 'raw cursor' },
      rounds.map(({ pages }) => ({ ours: pages[page], limit: pages[`${page}Raw`] })),
    ),
  );
}

function openRows(rounds: readonly DataRound[]): Measurement[] {
  const limitName = 'raw open and cursor';
  return [
    compared(
      { id: 'cold-open', name: 'newest 50 of 10,000, browser just started', limitName },
      rounds.flatMap(({ coldOpen }) => coldOpen),
    ),
    compared(
      { id: 'new-page', name: 'newest 50 of 10,000, new page of a running browser', limitName },
      rounds.flatMap(({ newPage }) => newPage),
    ),
  ];
}

function bulkRows(rounds: readonly DataRound[]): Measurement[] {
  return [
    compared(
      { id: 'first-sync', name: 'first sync of 10,000', limitName: 'raw puts of 500, strict' },
      rounds.map(({ firstSync }) => firstSync),
    ),
    compared(
      { id: 'push', name: 'push of 10,000', limitName: 'raw puts of 100, strict' },
      rounds.map(({ push }) => push),
    ),
  ];
}

function recordingRow(rounds: readonly DataRound[]): Measurement {
  const name = 'a recording of 40 kB until stored with its job and its entry';
  return compared(
    { id: 'recording', name, limitName: 'one raw transaction, strict' },
    rounds.map(({ recording }) => recording),
  );
}

function heapRow(rounds: readonly DataRound[]): Measurement {
  const described = { id: 'heap', name: 'memory for a live list of 10,000', unit: 'MB' } as const;
  return compared(
    { ...described, limitName: 'the rows in memory' },
    rounds.map(({ heapBytes: { ours, limit } }) => ({
      ours: ours / bytesPerMegabyte,
      limit: limit / bytesPerMegabyte,
    })),
  );
}

export function dataMeasurements(rounds: readonly DataRound[]): Measurement[] {
  return [
    ...insertRows(rounds, noneStored),
    ...insertRows(rounds, manyStored),
    ...seenRows(rounds, fewStored),
    ...seenRows(rounds, manyStored),
    recordingRow(rounds),
    ...openRows(rounds),
    ...pageRows(rounds),
    ...bulkRows(rounds),
    heapRow(rounds),
  ];
}
