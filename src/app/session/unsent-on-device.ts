import { createQueries } from '../../data/queries/rx-queries.ts';
import { readUnsent } from '../../data/unsent-work.ts';
import { lazyService } from '../../lib/async/lazy-service.ts';
import { systemClock } from '../../platform/system-clock.ts';
import { openOwnerDatabase } from './open-owner-database.ts';
import { openFiles } from '../services/open-files.ts';

const refuse = () => Promise.reject(new Error('Nothing is written or fetched here'));

/** Whether this device holds unsent data of an owner who is not signed in. @throws if the database cannot be read. */
export async function hasUnsentOnDevice(uid: string): Promise<boolean> {
  const database = await openOwnerDatabase(uid);
  const closes: (() => Promise<void>)[] = [];
  try {
    const unsent = await new Promise<string>((resolve, reject) => {
      const onReadError = reject;
      const opened = openFiles({
        uid,
        database,
        onReadError,
        correctedNow: systemClock.now,
        onWritten: () => undefined,
        commands: { addVoiceNote: refuse, awaitTranscript: refuse },
        loadRemoteFiles: refuse,
        loadTranscriber: refuse,
      });
      closes.push(() => opened.close());
      const files = lazyService(
        async () => {
          await opened.ready;
          return opened;
        },
        (run) => run(),
      );
      const queries = createQueries({ collections: database, files, onReadError });
      // Shared items end with the session of their owner.
      const shared = { list: async () => [] };
      const load = async () => ({ voice: (await files.load()).voice, shared });
      readUnsent({ uid, queries, files: { load } }).then(resolve, reject);
    });
    return unsent !== '';
  } finally {
    for (const close of closes) await close();
    await database.close();
  }
}
