import type { BrowserContext, Page } from 'playwright';
import type { ListedPage, Side } from '../page/bench-page.ts';
import { mediansOf, type Pair } from '../measurement.ts';
import { openProfile, usedHeapBytes, withPage } from '../run/browser.ts';
import { fewStored, manyStored, noneStored } from './journal-sizes.ts';

/** The measurements of one round, in milliseconds and bytes; samples are reduced to their median. */
export interface DataRound {
  readonly inserts: ReadonlyMap<number, Record<'ours' | 'rawStrict' | 'rawDefault', number>>;
  readonly seen: ReadonlyMap<number, Record<'ours' | 'limit' | 'oursInApp', number>>;
  readonly recording: Pair;
  readonly pages: Record<ListedPage | `${ListedPage}Raw`, number>;
  readonly firstSync: Pair;
  readonly push: Pair;
  /** A round has several pairs, since the time is short and varies. */
  readonly coldOpen: readonly Pair[];
  readonly newPage: readonly Pair[];
  readonly heapBytes: Pair;
}

export interface RoundRequest {
  readonly profile: string;
  readonly url: string;
  readonly index: number;
}

const insertsPerRound = 30;

/** Measures both sides; the first side alternates with the round. */
async function pairOf(index: number, measure: (side: Side) => Promise<number>): Promise<Pair> {
  if (index % 2 === 0) {
    const ours = await measure('ours');
    return { ours, limit: await measure('raw') };
  }
  const limit = await measure('raw');
  return { ours: await measure('ours'), limit };
}

const opensPerRound = 3;

/** Calls {@link pairOf} several times, so that each side goes first. */
async function pairsOf(measure: (side: Side) => Promise<number>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let index = 0; index < opensPerRound; index += 1) pairs.push(await pairOf(index, measure));
  return pairs;
}

interface Opened extends RoundRequest {
  readonly context: BrowserContext;
}

/** Opens a fresh page for each measurement, so that none inherits the memory of another. */
function onPage<Result>(
  { context, url }: Opened,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  return withPage(context, url, work);
}

export function prepareJournal(page: Page, stored: number): Promise<void> {
  return page.evaluate((request) => window.bench.prepare(request), { stored });
}

/** Creates the small journals again in each round, since added notes would soon outnumber the initial ones. */
async function prepareSmall(opened: Opened): Promise<void> {
  for (const stored of [noneStored, fewStored]) {
    await onPage(opened, (page) => prepareJournal(page, stored));
  }
}

async function measureInserts(opened: Opened): Promise<DataRound['inserts']> {
  const found = new Map<number, Record<'ours' | 'rawStrict' | 'rawDefault', number>>();
  for (const stored of [noneStored, manyStored]) {
    const request = { stored, inserts: insertsPerRound };
    const samples = await onPage(opened, (page) =>
      page.evaluate((wanted) => window.bench.inserts(wanted), request),
    );
    found.set(stored, mediansOf(samples));
  }
  return found;
}

async function measureSeen(opened: Opened): Promise<DataRound['seen']> {
  const found = new Map<number, Record<'ours' | 'limit' | 'oursInApp', number>>();
  for (const stored of [fewStored, manyStored]) {
    const request = { stored, inserts: insertsPerRound };
    const samples = await onPage(opened, (page) =>
      page.evaluate((wanted) => window.bench.insertsSeen(wanted), request),
    );
    found.set(stored, mediansOf(samples));
  }
  return found;
}

async function measureRecordings(opened: Opened): Promise<Pair> {
  const request = { stored: manyStored, inserts: insertsPerRound };
  const samples = await onPage(opened, (page) =>
    page.evaluate((wanted) => window.bench.recordings(wanted), request),
  );
  const { ours, raw } = mediansOf(samples);
  return { ours, limit: raw };
}

function measureHeap(opened: Opened, side: Side): Promise<number> {
  return onPage(opened, async (page) => {
    const before = await usedHeapBytes(page);
    await page.evaluate((request) => window.bench.holdAll(request), { side, stored: manyStored });
    return (await usedHeapBytes(page)) - before;
  });
}

function openOnce(opened: Opened, side: Side): Promise<number> {
  return onPage(opened, (page) =>
    page.evaluate((request) => window.bench.coldOpen(request), { side, stored: manyStored }),
  );
}

/** Measures in a new browser, which has none of the database in memory. */
async function measureColdOpen(request: RoundRequest, side: Side): Promise<number> {
  const context = await openProfile(request.profile);
  try {
    return await openOnce({ ...request, context }, side);
  } finally {
    await context.close();
  }
}

async function measureInOneBrowser(request: RoundRequest): Promise<Omit<DataRound, 'coldOpen'>> {
  const context = await openProfile(request.profile);
  const opened = { ...request, context };
  const bulk = (job: 'firstSync' | 'push', side: Side) =>
    onPage(opened, (page) =>
      page.evaluate(({ name, wanted }) => window.bench[name](wanted), {
        name: job,
        wanted: { side, count: manyStored },
      }),
    );
  try {
    await prepareSmall(opened);
    return {
      inserts: await measureInserts(opened),
      seen: await measureSeen(opened),
      recording: await measureRecordings(opened),
      pages: mediansOf(
        await onPage(opened, (page) =>
          page.evaluate((wanted) => window.bench.listPages(wanted), { stored: manyStored }),
        ),
      ),
      firstSync: await pairOf(request.index, (side) => bulk('firstSync', side)),
      push: await pairOf(request.index, (side) => bulk('push', side)),
      newPage: await pairsOf((side) => openOnce(opened, side)),
      heapBytes: await pairOf(request.index, (side) => measureHeap(opened, side)),
    };
  } finally {
    await context.close();
  }
}

export async function measureRound(request: RoundRequest): Promise<DataRound> {
  const coldOpen = await pairsOf((side) => measureColdOpen(request, side));
  return { ...(await measureInOneBrowser(request)), coldOpen };
}
