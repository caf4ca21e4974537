import { fnv1a } from '../../schemas/fnv1a.ts';
import type { Layout } from './layout.ts';

const namePrefix = 'pawpals';

/** RxDB requires lower-case names. The checksum distinguishes uids that differ only in the replaced characters. */
export function databaseName(uid: string): string {
  const checksum = fnv1a(uid).toString(36);
  return `${namePrefix}-${uid.toLowerCase().replace(/[^a-z0-9]/g, '_')}-${checksum}`;
}

/**
 * Creates an owner's IndexedDB database, or upgrades it to the newest version, as `raise-stores.ts` does with Dexie.
 */
export type RaiseStores = (name: string, layout: Layout) => Promise<void>;

/** Dexie's version 1 is IndexedDB's 10. */
const dexieFactor = 10;

/** @returns null if it does not exist, or has an earlier version. */
function openAsItIs(name: string, version?: number): Promise<IDBDatabase | null> {
  const request = indexedDB.open(name, version);
  return new Promise((resolve, reject) => {
    let isRaised = false;
    request.addEventListener('upgradeneeded', () => {
      isRaised = true;
      request.transaction?.abort();
    });
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => {
      if (isRaised) resolve(null);
      else reject(request.error ?? new Error('A database could not be opened'));
    });
  });
}

/**
 * Whether there is a database of that name, which stays closed in a browser that lists them: opening waits for an
 * erasure that is blocked. Firefox lists them since 126.
 */
export async function isThere(name: string): Promise<boolean> {
  const factory: Partial<IDBFactory> = indexedDB;
  const listed = await factory.databases?.();
  if (listed !== undefined) return listed.some((database) => database.name === name);
  const found = await openAsItIs(name);
  found?.close();
  return found !== null;
}

export function versionOf({ upgrades }: Pick<Layout, 'upgrades'>): number {
  return dexieFactor * (upgrades.length + 1);
}

/**
 * Opens an existing database. It is closed when another tab erases or upgrades it, and is not opened again, since it
 * would outlive the sign-out.
 * @returns null if it does not exist, or has an earlier version.
 * @throws {DOMException} `VersionError` if a newer version of the app has upgraded it further.
 */
export async function openExisting(name: string, version: number): Promise<IDBDatabase | null> {
  const database = await openAsItIs(name, version);
  database?.addEventListener('versionchange', () => database.close());
  return database;
}

/**
 * Opens an owner's IndexedDB database, like {@link openExisting}.
 * @param raise creates or upgrades it; null opens it only if it exists in the newest version.
 * @throws {DOMException} `VersionError` if a newer version of the app has upgraded it further.
 */
export async function openStores(
  name: string,
  layout: Layout,
  raise: RaiseStores | null,
): Promise<IDBDatabase> {
  const version = versionOf(layout);
  const found = await openExisting(name, version);
  if (found !== null) return found;
  await raise?.(name, layout);
  const made = await openExisting(name, version);
  if (made === null) throw new DOMException('There is no such database', 'NotFoundError');
  return made;
}
