import type { PicturedPet } from './files.ts';
import type { OutboxPort } from './outbox-port.ts';

export interface FetchedPicture {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
}

export interface PictureFetcherDeps {
  readonly outbox: Pick<OutboxPort, 'pictures'>;
  /** From the server, compared with its hash; null: it is not there. */
  readonly download: (path: string) => Promise<FetchedPicture | null>;
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
  /** By dog and version: those asked for, and of them those that failed. */
  const asked = new Set<string>();
  const failed = new Map<string, PicturedPet>();
  let cancelRetry: (() => void) | null = null;

  const fetchNow = async (key: string, pet: PicturedPet): Promise<void> => {
    try {
      const picture = await download(pet.profilePicturePath ?? '');
      if (picture !== null) await outbox.pictures.keep({ petId: pet.id, ...picture });
    } catch {
      failed.set(key, pet);
      cancelRetry ??= deps.after(retryMs, retry);
    }
  };

  const retry = (): void => {
    cancelRetry?.();
    cancelRetry = null;
    const again = [...failed];
    failed.clear();
    for (const [key, pet] of again) void fetchNow(key, pet);
  };

  const unwatch = deps.watchOnline((isOnline) => {
    if (isOnline) retry();
  });

  return {
    want: (pet) => {
      const key = `${pet.id} ${pet.profilePictureVersion ?? ''}`;
      if (asked.has(key)) return;
      asked.add(key);
      void fetchNow(key, pet);
    },
    close: () => {
      unwatch();
      cancelRetry?.();
    },
  };
}
