import type { FetchedFile, FileCaches } from '../../../store/files/file-caches.ts';
import type { PicturedPet } from './files.ts';

export interface PictureFetcherDeps {
  readonly outbox: { readonly caches: Pick<FileCaches, 'keepPicture'> };
  /** From the server, compared with its hash; null: it is not there. */
  readonly download: (path: string) => Promise<FetchedFile | null>;
  /** The connection is back. @returns a function that stops watching. */
  readonly watchOnline: (onChange: (isOnline: boolean) => void) => () => void;
  /** @returns a function that cancels. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/**
 * Brings pictures from the server that this device has not got.
 *
 * - Each version of a picture is fetched once: two devices that set one at the same time may leave a version on the dog
 *   that is not that of the file, and what is there is shown then.
 * - A download that failed is tried again with the connection, and after a while.
 */
export interface PictureFetcher {
  want(pet: PicturedPet): void;
  close(): void;
}

const retryMs = 60_000;

export function createPictureFetcher(deps: PictureFetcherDeps): PictureFetcher {
  const { outbox, download } = deps;
  /** By dog: the version that was asked for last, and those of them that failed. */
  const asked = new Map<string, string | undefined>();
  const failed = new Map<string, PicturedPet>();
  let cancelRetry: (() => void) | null = null;
  let isClosed = false;

  const fetchNow = async (pet: PicturedPet): Promise<void> => {
    const { id: petId, profilePicturePath: path = '', profilePictureVersion: version } = pet;
    try {
      const picture = await download(path);
      // A newer one may have come in before this one.
      const isWanted = asked.get(petId) === version;
      if (picture !== null && isWanted) await outbox.caches.keepPicture(petId, picture);
    } catch {
      if (isClosed) return;
      failed.set(pet.id, pet);
      cancelRetry ??= deps.after(retryMs, retry);
    }
  };

  const retry = (): void => {
    cancelRetry?.();
    cancelRetry = null;
    const again = [...failed.values()];
    failed.clear();
    for (const pet of again) void fetchNow(pet);
  };

  const unwatch = deps.watchOnline((isOnline) => {
    if (isOnline) retry();
  });

  return {
    want: (pet) => {
      const { id, profilePictureVersion: version } = pet;
      if (asked.has(id) && asked.get(id) === version) return;
      asked.set(id, version);
      void fetchNow(pet);
    },
    close: () => {
      isClosed = true;
      unwatch();
      cancelRetry?.();
    },
  };
}
