import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright';
import { manyStored } from '../data/journal-sizes.ts';
import { mediansOf } from '../measurement.ts';
import { rivalNames, type Journal, type RivalName } from '../page/rivals/rivals-page.ts';
import { recordOf } from '../record.ts';
import { openProfile, usedHeapBytes, withPage } from '../run/browser.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { withJournal } from './journals.ts';

export type OfEach = Readonly<Record<RivalName, number>>;

/** The measurements of one round, in milliseconds and bytes; samples are reduced to their median. */
export interface RivalsRound {
  readonly insertInto: Readonly<Record<'none' | 'many', OfEach>>;
  readonly seenOf: Readonly<Record<'few' | 'many', OfEach>>;
  readonly coldOpen: OfEach;
  readonly loaded: Readonly<Record<RivalName, Loaded>>;
  readonly push: OfEach;
  readonly heapBytes: OfEach;
}

interface Loaded {
  readonly ms: number;
  readonly diskBytes: number;
}

/** The journals that are on the device already, in the profile that is kept. */
export type KeptJournals = Readonly<Record<'none' | 'few' | 'many', Journal>>;

export interface RivalsRequest {
  readonly pageUrl: string;
  readonly profile: string;
  readonly kept: KeptJournals;
  /** The journal that is loaded onto a new device. */
  readonly whole: Journal;
  readonly index: number;
}

const insertsPerRound = 30;

/** Measures one rival after the other; the first one changes with the round. */
async function ofEach<Result>(
  index: number,
  measure: (rival: RivalName) => Promise<Result>,
): Promise<Record<RivalName, Result>> {
  const first = index % rivalNames.length;
  const found = new Map<RivalName, Result>();
  for (const name of [...rivalNames.slice(first), ...rivalNames.slice(0, first)]) {
    found.set(name, await measure(name));
  }
  return recordOf(found);
}

/** Runs work on a page that closes its databases at the end, so that they do not block the next page. */
export function onPage<Result>(
  context: BrowserContext,
  url: string,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  return withPage(context, url, async (page) => {
    const result = await work(page);
    await page.evaluate(() => window.rivals.leave());
    return result;
  });
}

/** Runs work on a page of a new browser. */
async function inNewBrowser<Result>(
  { profile, pageUrl }: Pick<RivalsRequest, 'profile' | 'pageUrl'>,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await openProfile(profile);
  try {
    return await onPage(context, pageUrl, work);
  } finally {
    await context.close();
  }
}

export function loadJournal(page: Page, rival: RivalName, journal: Journal): Promise<number> {
  return page.evaluate(([name, wanted]) => window.rivals.load(name, wanted), [
    rival,
    journal,
  ] as const);
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

/** Measures a first sync on an empty device, and the disk space that it takes. */
function measureLoad({ pageUrl, whole }: RivalsRequest, rival: RivalName): Promise<Loaded> {
  return withTempFolder(async (profile) => {
    const ms = await inNewBrowser({ profile, pageUrl }, (page) => loadJournal(page, rival, whole));
    return { ms, diskBytes: await sizeOf(join(profile, 'Default', 'IndexedDB')) };
  });
}

function measurePush({ pageUrl }: RivalsRequest, rival: RivalName): Promise<number> {
  return withTempFolder((folder) =>
    withJournal(folder, { name: 'push', count: 0 }, (journal) =>
      inNewBrowser({ profile: join(folder, 'profile'), pageUrl }, (page) =>
        page.evaluate(([name, wanted, count]) => window.rivals.push(name, wanted, count), [
          rival,
          journal,
          manyStored,
        ] as const),
      ),
    ),
  );
}

async function measureHeap(
  { pageUrl, kept }: RivalsRequest,
  context: BrowserContext,
  rival: RivalName,
): Promise<number> {
  return onPage(context, pageUrl, async (page) => {
    const before = await usedHeapBytes(page);
    await page.evaluate(([name, journal]) => window.rivals.holdAll(name, journal), [
      rival,
      kept.many,
    ] as const);
    return (await usedHeapBytes(page)) - before;
  });
}

async function measureInOneBrowser(request: RivalsRequest) {
  const { pageUrl, kept, index } = request;
  const context = await openProfile(request.profile);
  const added = async (job: 'inserts' | 'insertsSeen', journal: Journal): Promise<OfEach> =>
    mediansOf(
      await onPage(context, pageUrl, (page) =>
        page.evaluate(([name, wanted, turns]) => window.rivals[name](wanted, turns), [
          job,
          journal,
          insertsPerRound,
        ] as const),
      ),
    );
  try {
    return {
      heapBytes: await ofEach(index, (rival) => measureHeap(request, context, rival)),
      insertInto: {
        none: await added('inserts', kept.none),
        many: await added('inserts', kept.many),
      },
      seenOf: {
        few: await added('insertsSeen', kept.few),
        many: await added('insertsSeen', kept.many),
      },
    };
  } finally {
    await context.close();
  }
}

export async function measureRivalsRound(request: RivalsRequest): Promise<RivalsRound> {
  const { index, kept } = request;
  const coldOpen = await ofEach(index, (rival) =>
    inNewBrowser(request, (page) =>
      page.evaluate(([name, journal]) => window.rivals.coldOpen(name, journal), [
        rival,
        kept.many,
      ] as const),
    ),
  );
  const loaded = await ofEach(index, (rival) => measureLoad(request, rival));
  const push = await ofEach(index, (rival) => measurePush(request, rival));
  return { ...(await measureInOneBrowser(request)), coldOpen, loaded, push };
}
