import type { Counts } from './meter.ts';
import { dollarsFor, prices } from './prices.ts';

/** Quantities that the played day does not measure; docs/cost.md gives the reason for each. */
const assumed = {
  voiceNotesADay: 2,
  entriesADay: 7,
  voiceNoteSeconds: 20,
  voiceNoteBytes: 80_000,
  devices: 2,
  pets: 3,
  /** The stored size of an entry with its indexes. */
  entryBytes: 3_000,
  transcriptionSeconds: 5,
  functionGib: 0.5,
  functionCpus: 1,
  filesCleanedASecond: 1_000,
  releasesAMonth: 2,
  appBytes: 1_400_000,
  daysKept: 365,
} as const;

const daysAMonth = 30;
/** The clean-up of files goes through the bucket every eight days, by one query for 30 files and one list for 300. */
const roundsAMonth = daysAMonth / 8;
const filesAQuery = 30;
const filesAList = 300;

export interface CountedDay {
  readonly day: Counts;
  /** The counts of one change of a picture that the other device then shows. */
  readonly picture: Counts;
}

/**
 * Returns the units that one owner uses in a day. An owner changes a picture once a week, so a seventh of it is
 * included.
 */
function aDay({ day, picture }: CountedDay) {
  const all = (name: keyof Counts): number => day[name] + picture[name] / 7;
  const calls = assumed.voiceNotesADay;
  return {
    // Each device compares two sums once a day; a transcription reads the pet and the owner's rate.
    reads: all('reads') + 2 * assumed.devices + 2 * calls,
    writes: all('writes') + calls,
    classA: all('classA'),
    // A transcription reads the recording and its metadata.
    classB: all('classB') + 2 * calls,
    firestoreBytes: all('firestoreBytes'),
    downloadedBytes: all('downloadedBytes'),
    calls,
  };
}

const rounded = (value: number): string => String(Math.round(value));

function dayTable(counted: CountedDay): string {
  const { day, picture } = counted;
  const total = aDay(counted);
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_000)} kB`;
  const rows: readonly (readonly string[])[] = [
    ['', 'a day', 'a picture', 'all, a day'],
    ['---', '--:', '--:', '--:'],
    ['Firestore: documents read', rounded(day.reads), rounded(picture.reads), rounded(total.reads)],
    [
      'Firestore: documents written',
      rounded(day.writes),
      rounded(picture.writes),
      rounded(total.writes),
    ],
    ['Firestore: documents deleted', rounded(day.deletes), rounded(picture.deletes), '0'],
    ['Firestore: commits', rounded(day.commits), rounded(picture.commits), ''],
    [
      'Firestore: answers',
      kilobytes(day.firestoreBytes),
      kilobytes(picture.firestoreBytes),
      kilobytes(total.firestoreBytes),
    ],
    ['Storage: uploads', rounded(day.classA), rounded(picture.classA), total.classA.toFixed(1)],
    ['Storage: reads', rounded(day.classB), rounded(picture.classB), total.classB.toFixed(1)],
    ['Storage: uploaded', kilobytes(day.uploadedBytes), kilobytes(picture.uploadedBytes), ''],
    [
      'Storage: downloaded',
      kilobytes(day.downloadedBytes),
      kilobytes(picture.downloadedBytes),
      kilobytes(total.downloadedBytes),
    ],
  ];
  return toMarkdown(rows);
}

/** @returns the dollars of a month, by billed unit. */
function monthOf(counted: CountedDay, owners: number): readonly (readonly [string, number])[] {
  const day = aDay(counted);
  const perMonth = owners * daysAMonth;
  const gib = 2 ** 30;
  const reads = day.reads * perMonth;
  const recordings = assumed.voiceNotesADay * assumed.daysKept;
  const files = (recordings + assumed.pets) * owners * roundsAMonth;
  // The clean-up reads the entry of each recording, and the pets of each query.
  const petReads = files / filesAQuery + assumed.pets * owners * roundsAMonth;
  const swept = recordings * owners * roundsAMonth + petReads;
  const sweptSeconds = files / assumed.filesCleanedASecond;
  const kept = recordings * assumed.voiceNoteBytes * owners;
  const documents = assumed.entriesADay * assumed.daysKept * assumed.entryBytes * owners;
  const calls = day.calls * perMonth;
  const seconds = calls * assumed.transcriptionSeconds;
  const hosted = assumed.appBytes * assumed.devices * assumed.releasesAMonth * owners;
  const readsAlone = dollarsFor(prices.firestoreReads, reads);
  const uploads = day.classA * perMonth;
  const uploadsAlone = dollarsFor(prices.storageClassA, uploads);
  return [
    ['Firestore: reads', readsAlone],
    ['Firestore: writes', dollarsFor(prices.firestoreWrites, day.writes * perMonth)],
    [
      'Firestore: storage and network',
      dollarsFor(prices.firestoreGib, documents / gib) +
        dollarsFor(prices.firestoreEgressGib, (day.firestoreBytes * perMonth) / gib),
    ],
    [
      'Storage: files, requests and network',
      dollarsFor(prices.storageGb, kept / 1e9) +
        uploadsAlone +
        dollarsFor(prices.storageClassB, day.classB * perMonth) +
        dollarsFor(prices.storageEgressGb, (day.downloadedBytes * perMonth) / 1e9),
    ],
    [
      'The look for files without a document',
      dollarsFor(prices.firestoreReads, reads + swept) -
        readsAlone +
        dollarsFor(prices.storageClassA, uploads + files / filesAList) -
        uploadsAlone +
        dollarsFor(prices.functionGibSeconds, sweptSeconds * assumed.functionGib) +
        dollarsFor(prices.functionCpuSeconds, sweptSeconds),
    ],
    ['Hosting', dollarsFor(prices.hostingEgressGb, hosted / 1e9)],
    [
      'Functions',
      dollarsFor(prices.functionCalls, calls) +
        dollarsFor(prices.functionGibSeconds, seconds * assumed.functionGib) +
        dollarsFor(prices.functionCpuSeconds, seconds * assumed.functionCpus),
    ],
    ['Speech', dollarsFor(prices.speechMinutes, (calls * assumed.voiceNoteSeconds) / 60)],
  ];
}

const dollars = (value: number): string =>
  value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en-US');

function monthTable(counted: CountedDay): string {
  const months = [1, 1_000, 100_000].map((owners) => monthOf(counted, owners));
  const names = months[0]?.map(([name]) => name) ?? [];
  const valueAt = (row: number) => months.map((month) => month[row]?.[1] ?? 0);
  const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
  const totals = months.map((month) => sum(month.map(([, value]) => value)));
  return toMarkdown([
    ['US dollars a month', '1 owner', '1,000 owners', '100,000 owners'],
    ['---', '--:', '--:', '--:'],
    ...names.map((name, row) => [name, ...valueAt(row).map(dollars)]),
    ['**All**', ...totals.map((total) => `**${dollars(total)}**`)],
    ['An owner', ...totals.map((total, at) => dollars(total / ([1, 1_000, 100_000][at] ?? 1)))],
  ]);
}

function toMarkdown(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Returns the tables of docs/cost.md. */
export const costTables = (counted: CountedDay): string =>
  `${dayTable(counted)}\n\n${monthTable(counted)}\n`;
