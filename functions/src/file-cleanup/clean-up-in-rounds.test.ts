import { expect, it } from 'vitest';
import { FileCleanupError } from './clean-up-files.ts';
import { cleanUpInRounds, type CleanupRound } from './clean-up-in-rounds.ts';
import type { FileCleanupPorts, StoredFile } from './ports.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const startMs = Date.UTC(2026, 0, 1);

const fileOf = (at: number): StoredFile => ({
  name: `pets/rex/audios/voice-note-${String(at).padStart(6, '0')}.webm`,
  generation: 1,
  metageneration: 1,
  uploadedAtMs: 0,
  unreferredSinceMs: null,
});

/** A bucket of unreferred files, in which a page takes `pageMs`. */
function createWorld({ count = 3_000, pageMs = 0 } = {}) {
  let nowMs = startMs;
  let round: CleanupRound | null = null;
  let bad: (name: string) => boolean = () => false;
  const all = Array.from({ length: count }, (_, at) => fileOf(at));
  const marked: string[] = [];
  const saved: (CleanupRound & { readonly atMs: number })[] = [];
  const ports: FileCleanupPorts = {
    files: {
      list: async ({ limit, after }) => {
        nowMs += pageMs;
        const left = all.filter(({ name }) => name > (after ?? ''));
        const files = left.slice(0, limit);
        return { files, next: left.length > limit ? (files.at(-1)?.name ?? null) : null };
      },
      mark: async ({ name }) => {
        if (bad(name)) throw new Error('no mark');
        return marked.push(name) > 0;
      },
      delete: async () => false,
    },
    holders: { readPets: async () => new Map(), async *findEntries() {} },
    now: () => nowMs,
    onFailure: () => undefined,
  };
  return {
    all: all.map(({ name }) => name),
    marked,
    saved,
    round: () => round,
    advance: (ms: number) => {
      nowMs += ms;
    },
    failFor: (isBad: (name: string) => boolean) => {
      bad = isBad;
    },
    run: () =>
      cleanUpInRounds(ports, {
        read: async () => round,
        write: async (next) => {
          round = next;
          saved.push({ ...next, atMs: nowMs });
        },
      }),
  };
}

it('a round that fits into one run is done by it, and the next begins after eight days', async () => {
  const { run, all, marked, advance, round } = createWorld({ count: 700 });
  expect(await run()).toMatchObject({ seen: 700, marked: 700 });
  expect(marked.toSorted()).toEqual(all);
  expect(round()).toEqual({ startedMs: startMs, after: null, isDone: true });
  advance(8 * dayMs - 1);
  expect(await run()).toBeNull();
  advance(1);
  expect(await run()).toMatchObject({ seen: 700 });
  expect(round()).toMatchObject({ startedMs: startMs + 8 * dayMs, isDone: true });
});

it('a round that takes several runs processes each file once, and no run takes longer than allowed', async () => {
  const { run, all, marked, round, saved } = createWorld({ pageMs: 6 * minuteMs });
  const runs: (number | undefined)[] = [];
  while (round()?.isDone !== true) runs.push((await run())?.seen);
  // Five pages of 300 files take 30 minutes, and a run ends with the page in which 25 have passed.
  expect(runs).toEqual([1_500, 1_500]);
  expect(marked.toSorted()).toEqual(all);
  expect(new Set(saved.map(({ startedMs }) => startedMs))).toEqual(new Set([startMs]));
});

it('a round that is due while another is under way waits for its end', async () => {
  const { run, advance, round } = createWorld({ pageMs: 6 * minuteMs });
  await run();
  advance(9 * dayMs);
  expect(await run()).toMatchObject({ seen: 1_500 });
  expect(round()).toEqual({ startedMs: startMs, after: null, isDone: true });
  expect(await run()).toMatchObject({ seen: 1_500 });
  expect(round()).toMatchObject({ isDone: false });
});

it('the place is stored at most every ten seconds, and where a run ends', async () => {
  const { run, all, saved } = createWorld({ pageMs: 4_000 });
  await run();
  expect(saved.map(({ atMs, after }) => [(atMs - startMs) / 1_000, after])).toEqual([
    [12, all[899]],
    [24, all[1_799]],
    [36, all[2_699]],
    [40, null],
  ]);
});

it('a run that ends early by its failures is repeated from the stored place', async () => {
  const { run, all, marked, failFor, round } = createWorld({ pageMs: 10_000 });
  failFor((name) => name >= (all[600] ?? ''));
  await expect(run()).rejects.toThrow('The clean-up failed for 300 of 900 files.');
  expect(round()).toEqual({ startedMs: startMs, after: all[599], isDone: false });
  failFor(() => false);
  expect(await run()).toMatchObject({ seen: 2_400 });
  expect(marked.toSorted()).toEqual(all);
});

it('a file that fails is left to the next round', async () => {
  const { run, all, failFor, round, marked, advance } = createWorld();
  failFor((name) => name === all[7]);
  await expect(run()).rejects.toThrow(FileCleanupError);
  expect(round()).toMatchObject({ isDone: true });
  expect(await run()).toBeNull();
  failFor(() => false);
  marked.length = 0;
  advance(8 * dayMs);
  await run();
  expect(marked).toContain(all[7]);
});
