import 'fake-indexeddb/auto';
import { createStorageFiles } from '../../../replication/firebase/storage-files.ts';
import { createOutboxWorker } from '../../../replication/outbox/outbox-worker.ts';
import { openOutbox } from '../../../store/files/open-outbox.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import type { RemoteFiles } from '../../../replication/ports.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import type { RealDevice } from './real-device.ts';
import { untroubled } from './test-outbox.ts';

/** The files of a real device: the outbox and its worker, with Storage on a server under the deployed rules. */
export interface RealFiles {
  readonly outbox: Outbox;
  readonly files: RemoteFiles;
  /** Syncs the documents, then runs one pass over the files. */
  syncAll(): Promise<void>;
  pass(): Promise<void>;
}

export function openRealFiles(
  device: RealDevice,
  url: string,
  wrapFiles: (files: RemoteFiles) => RemoteFiles = (files) => files,
): RealFiles {
  const outbox = openOutbox(device.database, { now: Date.now, newId });
  const files = createStorageFiles({
    config: { serverOrigin: url, storageBucket: 'demo-pawpals.appspot.com' },
    idToken: () => device.client.idToken(),
    clock: systemClock,
  });
  const worker = createOutboxWorker({
    outbox,
    store: device.store,
    files: wrapFiles(files),
    clock: systemClock,
    ...untroubled,
  });
  const pass = async (): Promise<void> => {
    worker.poke('manual');
    await worker.runOnce(new AbortController().signal);
  };
  return {
    outbox,
    files,
    pass,
    syncAll: async () => {
      await device.sync();
      await pass();
    },
  };
}
