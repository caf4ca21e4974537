import type { FetchedFile, FileCaches } from '../../../store/files/file-caches.ts';
import type { Download, PicturedPet } from './files.ts';

export interface PictureFetcherDeps {
  readonly outbox: { readonly caches: Pick<FileCaches, 'keepPicture'> };
  /** Downloads a picture and checks its hash; null if the server does not have it. */
  readonly download: Download;
  /** Watches the connection. @returns a function that stops watching. */
  readonly watchOnline: (onChange: (isOnline: boolean) => void) => () => void;
  /** Runs a function after a delay. @returns a function that cancels it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

const retryMs = 60_000;

/**
 * Creates a fetcher of pictures that this device does not have.
 *
 * - Each version of a picture is fetched once. Two devices that set one at the same time may leave a version on the dog
 *   that differs from the file's; the fetched file is shown then.
 * - A failed download is retried when the connection comes back, and after a while. A picture that cannot be stored is
 *   fetched again in the next session.
 */
export function createPictureFetcher(deps: PictureFetcherDeps) {
  const { outbox, download } = deps;
  const { caches } = outbox;
  /** The latest requested version by dog, and the dogs whose download failed. */
  const asked = new Map<string, string | undefined>();
  const failed = new Map<string, PicturedPet>();
  let cancelRetry: (() => void) | null = null;
  let isClosed = false;

  const fetchNow = async (pet: PicturedPet): Promise<void> => {
    const { id, fields } = pet;
    // A newer version may have been requested meanwhile.
    const isWanted = (): boolean => asked.get(id) === fields.profilePictureVersion;
    let picture: FetchedFile | null;
    try {
      picture = await download(fields.profilePicturePath ?? '');
    } catch {
      if (isClosed || !isWanted()) return;
      failed.set(id, pet);
      cancelRetry ??= deps.after(retryMs, retry);
      return;
    }
    // Another download would not fit on a full device either.
    if (picture !== null && isWanted())
      await caches.keepPicture(id, picture).catch(() => undefined);
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
    want: (pet: PicturedPet): void => {
      const { id } = pet;
      const version = pet.fields.profilePictureVersion;
      if (asked.has(id) && asked.get(id) === version) return;
      asked.set(id, version);
      void fetchNow(pet);
    },
    close: (): void => {
      isClosed = true;
      unwatch();
      cancelRetry?.();
    },
  };
}
