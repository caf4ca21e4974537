import { feedPageSize } from '../../../schemas/limits.ts';
import { recordOf } from '../../record.ts';
import { inTurns, timed } from '../stopwatch.ts';
import { openDexie } from './dexie.ts';
import { openFirestoreCache } from './firestore.ts';
import { openOurs } from './ours.ts';
import type { OpenRival, Rival, RivalOwner } from './rival.ts';
import { rivalNames, type Journal, type RivalName, type RivalsPage } from './rivals-page.ts';
import { signInto } from './sign-in.ts';

/** The number of runs after which the browser has compiled the code. */
const warmUps = 20;

const openers: Readonly<Record<RivalName, OpenRival>> = {
  ours: openOurs,
  dexie: openDexie,
  firestore: openFirestoreCache,
};

let owner: Promise<RivalOwner> | null = null;
const opened: Rival[] = [];

async function enter(name: RivalName, journal: Journal): Promise<Rival> {
  owner ??= signInto(journal);
  const rival = openers[name](await owner);
  opened.push(rival);
  return rival;
}

function expectCount(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`Found ${found} entries instead of ${wanted}`);
}

const load: RivalsPage['load'] = async (name, journal) => {
  const rival = await enter(name, journal);
  await rival.prepare?.();
  let found = 0;
  const ms = await timed(async () => {
    found = await rival.load();
  });
  expectCount(found, journal.count);
  await rival.settle?.();
  return ms;
};

const coldOpen: RivalsPage['coldOpen'] = async (name, journal) => {
  owner ??= signInto(journal);
  await owner;
  let found = 0;
  const ms = await timed(async () => {
    const rival = await enter(name, journal);
    found = await rival.readNewest();
  });
  expectCount(found, feedPageSize);
  return ms;
};

async function addInTurns(journal: Journal, turns: number, isWatched: boolean) {
  const variants = new Map<RivalName, () => Promise<number>>();
  for (const name of rivalNames) {
    const open = await (await enter(name, journal)).open(isWatched);
    variants.set(name, () => timed(() => open.add()));
  }
  return inTurns({ variants: recordOf(variants), warmUps, turns });
}

const holdAll: RivalsPage['holdAll'] = async (name, journal) => {
  const found = await (await enter(name, journal)).holdAll();
  // Other measurements may have added notes.
  if (found < journal.count) throw new Error(`Holds ${found} entries only`);
};

const push: RivalsPage['push'] = async (name, journal, count) => {
  const rival = await enter(name, journal);
  await rival.fillWaiting(count);
  return timed(() => rival.send());
};

const rivals: RivalsPage = {
  load,
  coldOpen,
  inserts: (journal, turns) => addInTurns(journal, turns, false),
  insertsSeen: (journal, turns) => addInTurns(journal, turns, true),
  holdAll,
  push,
  leave: async () => {
    await Promise.all(opened.map((rival) => rival.close()));
  },
};

Object.assign(window, { rivals });
