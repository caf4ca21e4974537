import { Directory, Filesystem } from '@capacitor/filesystem';
import { Share } from '@capacitor/share';
import type { SaveOptions, SaveOutcome } from '../../lib/dom/saved-file.ts';
import { newId } from '../new-id.ts';

/** The app's cache. Other apps read it only through the share sheet, and the system may clear it. */
const directory = Directory.Cache;
const sharedFolder = 'shared';

/** A multiple of three bytes, so that each piece but the last is base64 without padding: 512 KiB of text per piece. */
const pieceBytes = 3 * 128 * 1_024;

/** The share sheet closes before the chosen app has read the whole file. */
const keptForMs = 60_000;

function toBase64(bytes: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('unreadable')));
    reader.readAsDataURL(bytes);
  });
}

async function remove(path: string): Promise<void> {
  // The folder may never have been made, or the system may have cleared it.
  await Filesystem.rmdir({ path, directory, recursive: true }).catch(() => undefined);
}

/** Removes the files that an earlier run of the app has left. */
export function removeSharedFiles(): Promise<void> {
  return remove(sharedFolder);
}

/** Writes the file piece by piece. @returns the address of the file for other plugins. */
async function write(path: string, file: File, options: SaveOptions): Promise<string> {
  const { signal, onProgress } = options;
  const first = await toBase64(file.slice(0, pieceBytes));
  const { uri } = await Filesystem.writeFile({ path, directory, data: first, recursive: true });
  for (let from = pieceBytes; from < file.size; from += pieceBytes) {
    signal?.throwIfAborted();
    onProgress?.(from / file.size);
    const data = await toBase64(file.slice(from, from + pieceBytes));
    await Filesystem.appendFile({ path, directory, data });
  }
  signal?.throwIfAborted();
  onProgress?.(1);
  return uri;
}

/** Recognizes a cancelled share by its message, because the plugin has no code for it on either system. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.message === 'Share canceled';
}

/**
 * Writes a file into the app's cache and opens the system's share sheet for it.
 *
 * - The bridge takes text only, so at most one piece of the file is in memory as text.
 * - The written file is removed at once if nothing was shared, one minute after sharing, or at the next start if the
 *   app ends before.
 *
 * @throws the reason of the signal.
 */
export async function shareNatively(file: File, options: SaveOptions): Promise<SaveOutcome> {
  const folder = `${sharedFolder}/${newId()}`;
  try {
    const uri = await write(`${folder}/${file.name}`, file, options);
    await Share.share({ title: file.name, files: [uri] });
    setTimeout(() => void remove(folder), keptForMs);
    return 'shared';
  } catch (error) {
    await remove(folder);
    options.signal?.throwIfAborted();
    return isCancelled(error) ? 'cancelled' : 'failed';
  }
}
