import { Directory, Filesystem } from '@capacitor/filesystem';
import { Share } from '@capacitor/share';
import type { SaveOptions, SaveOutcome } from '../../lib/dom/saved-file.ts';
import { newId } from '../new-id.ts';

/** In the app's cache, which no other app may read but through the share sheet, and which the system may clear. */
const directory = Directory.Cache;
const sharedFolder = 'shared';

/** Of three bytes each, so that each piece but the last is base64 without padding: 512 KiB of text at a time. */
const pieceBytes = 3 * 128 * 1_024;

/** The share sheet closes before the app that was chosen has read the whole file. */
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
  // A folder that was never made, or that the system has cleared.
  await Filesystem.rmdir({ path, directory, recursive: true }).catch(() => undefined);
}

/** Removes what an earlier run of the app has left. */
export function removeSharedFiles(): Promise<void> {
  return remove(sharedFolder);
}

/** @returns the address of the file for other plugins. */
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

/** The plugin has no code for it, on either system. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.message === 'Share canceled';
}

/**
 * Writes a file into the app's cache and opens the system's share sheet for it.
 *
 * - The bridge takes text only: at no time is more than one piece of the file in memory as text.
 * - The written file is removed at once where nothing was shared, a minute after it was shared otherwise, and at the next
 *   start if the app ends before.
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
