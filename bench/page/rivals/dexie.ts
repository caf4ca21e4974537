import { Dexie, liveQuery, type Table } from 'dexie';
import type { Entry } from '../../../schemas/documents/document.ts';
import { feedPageSize } from '../../../schemas/limits.ts';
import { inPieces, newEntries, petId } from '../entries.ts';
import { newRow } from '../inserts.ts';
import { toRawRow } from '../raw-database.ts';
import type { OpenRival } from './rival.ts';
import { createSightings } from './sightings.ts';

const pieceSize = 500;

class DexieJournal extends Dexie {
  declare readonly entries: Table<Entry, string>;
  constructor(name: string) {
    super(name, { chromeTransactionDurability: 'strict' });
    this.version(1).stores({ entries: 'id, [petId+feedKey]' });
  }

  all() {
    return this.entries
      .where('[petId+feedKey]')
      .between([petId, Dexie.minKey], [petId, Dexie.maxKey]);
  }

  async putAll(rows: readonly Entry[]): Promise<void> {
    for (const piece of inPieces(rows, pieceSize)) await this.entries.bulkPut(piece);
  }
}

function rowsOf(count: number): Entry[] {
  return newEntries(count).map(toRawRow);
}

/** Opens Dexie alone: plain rows, the index that a journal needs, and strict durability like the app's. */
export const openDexie: OpenRival = ({ uid, journal }) => {
  const database = new DexieJournal(`dexie-${uid}`);
  const newest = () => database.all().limit(feedPageSize).toArray();
  let loading: Entry[] = [];
  let waiting: Entry[] = [];
  const watching: (() => void)[] = [];
  const watch = <Value>(read: () => Promise<Value>, onNext: (value: Value) => void) =>
    new Promise<void>((resolve, reject) => {
      const next = (value: Value): void => {
        onNext(value);
        resolve();
      };
      const subscription = liveQuery(read).subscribe({ next, error: reject });
      watching.push(() => subscription.unsubscribe());
    });
  return {
    prepare: async () => {
      loading = rowsOf(journal.count);
      await database.open();
    },
    load: async () => {
      await database.putAll(loading);
      return loading.length;
    },
    readNewest: async () => {
      let found = 0;
      await watch(newest, (rows) => {
        found = rows.length;
      });
      return found;
    },
    holdAll: async () => {
      let held: readonly Entry[] = [];
      await watch(
        () => database.all().toArray(),
        (rows) => {
          held = rows;
        },
      );
      return held.length;
    },
    open: async (isWatched) => {
      const sightings = createSightings();
      if (isWatched) await watch(newest, ([first]) => sightings.see(first?.id));
      return {
        add: async () => {
          const row = newRow();
          const seen = isWatched ? sightings.of(row.id) : null;
          await database.entries.add(row);
          await seen;
        },
      };
    },
    fillWaiting: async (count) => {
      waiting = rowsOf(count);
    },
    send: () => database.putAll(waiting),
    close: async () => {
      for (const stop of watching) stop();
      database.close();
    },
  };
};
