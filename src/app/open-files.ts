import type { RemoteFiles } from '../../replication/ports.ts';
import type { PawPalsDatabase } from '../../replication/store/database.ts';
import { openOutbox, type Outbox } from '../../replication/outbox/outbox.ts';
import { createFiles, type OpenFiles } from '../data/outbox-files.ts';
import { newId } from '../platform/new-id.ts';
import { browserOnlineSignal } from '../platform/online-signal.ts';
import { systemClock } from '../platform/system-clock.ts';

/** The files of one owner on this device, open. Their code and their database come after the first view. */
export interface OwnerFiles extends OpenFiles {
  readonly outbox: Outbox;
}

export interface OpenFilesOptions {
  readonly uid: string;
  readonly database: Pick<PawPalsDatabase, 'pets'>;
  /** For pictures that are not on this device. */
  readonly loadRemoteFiles: () => Promise<RemoteFiles>;
  readonly onWritten: () => void;
  readonly onReadError: (error: unknown) => void;
}

export function openFiles(options: OpenFilesOptions): OwnerFiles {
  const { uid, database } = options;
  const closing = new AbortController();
  const outbox = openOutbox({ uid, now: systemClock.now, newId });
  const files = createFiles({
    ...options,
    outbox,
    collections: database,
    toUrl: ({ bytes, contentType }) =>
      URL.createObjectURL(new Blob([bytes], { type: contentType })),
    revokeUrl: (url) => URL.revokeObjectURL(url),
    onReadError: (error) => {
      if (!closing.signal.aborted) options.onReadError(error);
    },
    download: async (path) => (await options.loadRemoteFiles()).download(path, closing.signal),
    watchOnline: browserOnlineSignal.watch,
    after: systemClock.after,
  });
  return {
    ...files,
    outbox,
    close: () => {
      closing.abort();
      files.close();
      outbox.close();
    },
  };
}
