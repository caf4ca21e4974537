import { RemoteError, type RemoteFiles, type Transcriber } from '../../../replication/ports.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { md5Base64 } from '../../../store/files/md5.ts';
import { openOutbox } from '../../../store/files/open-outbox.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import { createShareStore } from '../../../replication/shares/share-store.ts';
import type { Commands } from '../../data/commands/commands.ts';
import { createFiles, type FilesDeps, type OpenFiles } from '../../data/files/outbox-files.ts';
import { connection } from '../../platform/connection.ts';
import { watchReturnToPage } from '../../platform/page-visibility.ts';
import { newId } from '../../platform/new-id.ts';
import { recordingLocks } from '../../platform/media/recording-locks.ts';
import { readSoundFile } from '../../platform/media/sound-file.ts';
import { systemClock } from '../../platform/system-clock.ts';

/** The open files of one owner on this device. Their code and their database load after the first view. */
export interface OwnerFiles extends OpenFiles {
  readonly outbox: Outbox;
  /** Removes expired shared items, and assigns to this owner the items that were shared while nobody was signed in. */
  claimShares(): Promise<unknown>;
}

export interface OpenFilesOptions {
  readonly uid: string;
  readonly database: PawPalsDatabase;
  readonly commands: Pick<Commands, 'addVoiceNote' | 'awaitTranscript'>;
  /** Loads access to files that are not on this device. */
  readonly loadRemoteFiles: () => Promise<RemoteFiles>;
  readonly loadTranscriber: () => Promise<Transcriber>;
  /** Epoch milliseconds of this device's clock, corrected by the server's. */
  readonly correctedNow: () => number;
  readonly onWritten: () => void;
  readonly onReadError: (error: unknown) => void;
}

type LoadRemote = Pick<OpenFilesOptions, 'loadRemoteFiles' | 'loadTranscriber'>;

/** Uploads a recording and has it transcribed, while its owner waits. */
function hearWith({ loadRemoteFiles, loadTranscriber }: LoadRemote): FilesDeps['hear'] {
  return async ({ objectName, contentType }, bytes, signal) => {
    const [remote, transcriber] = await Promise.all([loadRemoteFiles(), loadTranscriber()]);
    const stored = await remote.upload({ objectName, contentType, bytes, replaces: null }, signal);
    if (stored.md5 !== md5Base64(bytes)) throw new RemoteError('transient', 'not-confirmed');
    return transcriber.transcribe(objectName, signal);
  };
}

export function openFiles(options: OpenFilesOptions): OwnerFiles {
  const { uid, database } = options;
  const closing = new AbortController();
  const outbox = openOutbox(database, { now: systemClock.now, newId });
  const shares = createShareStore(uid, systemClock.now);
  const files = createFiles({
    ...options,
    outbox,
    shares,
    collections: database,
    locks: recordingLocks,
    newId,
    now: systemClock.now,
    hear: hearWith(options),
    drawWaveform: async (bytes) => (await readSoundFile(bytes))?.waveform ?? null,
    toUrl: ({ bytes, contentType }) =>
      URL.createObjectURL(new Blob([bytes], { type: contentType })),
    revokeUrl: (url) => URL.revokeObjectURL(url),
    onReadError: (error) => {
      if (!closing.signal.aborted) options.onReadError(error);
    },
    download: async (path) => (await options.loadRemoteFiles()).download(path, closing.signal),
    watchOnline: connection.watch,
    watchReturn: watchReturnToPage,
    after: systemClock.after,
  });
  return {
    ...files,
    outbox,
    claimShares: () => shares.removeOld(),
    close: () => {
      closing.abort();
      return files.close();
    },
  };
}
