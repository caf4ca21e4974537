import { audioCacheMaxBytes } from '../../schemas/limits.ts';
import type { CachedAudio } from '../../schemas/voice-note.ts';
import { makeRoom } from './make-room.ts';
import type { FileStores } from '../../store/file-stores.ts';

/**
 * Recordings that the server has, to be heard without a connection. Evicts the least recently heard above the limit; they
 * can be fetched again.
 */
export interface AudioCache {
  /** Without its being listened to. */
  get(objectName: string): Promise<CachedAudio | null>;
  /** It is being listened to. */
  use(objectName: string): Promise<CachedAudio | null>;
  keep(audio: Omit<CachedAudio, 'usedAtMs' | 'byteLength'>): Promise<void>;
  /** All recordings that are here, without reading their bytes. */
  list(): Promise<readonly Pick<CachedAudio, 'objectName' | 'entryId'>[]>;
}

export interface AudioCacheDeps {
  readonly database: Pick<FileStores, 'audios' | 'transaction'>;
  readonly now: () => number;
  readonly maxBytes?: number | undefined;
}

export function createAudioCache(deps: AudioCacheDeps): AudioCache {
  const { database, now, maxBytes = audioCacheMaxBytes } = deps;
  const { audios } = database;
  return {
    get: async (objectName) => (await audios.get(objectName)) ?? null,
    use: async (objectName) => {
      const found = (await audios.get(objectName)) ?? null;
      // A full device can still be listened to.
      if (found !== null) {
        await audios.update(objectName, { usedAtMs: now() }).catch(() => undefined);
      }
      return found;
    },
    list: () =>
      database.transaction('r', audios, async () => {
        const byEntry = audios.orderBy('entryId');
        const entryIds = (await byEntry.keys()).map(String);
        const names = await byEntry.primaryKeys();
        return names.map((objectName, index) => ({ objectName, entryId: entryIds[index] ?? '' }));
      }),
    keep: (audio) =>
      database.transaction('rw', audios, async () => {
        await audios.put({ ...audio, byteLength: audio.bytes.byteLength, usedAtMs: now() });
        await makeRoom(audios, maxBytes);
      }),
  };
}
