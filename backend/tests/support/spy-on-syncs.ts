import { open, type FileHandle } from 'node:fs/promises';
import { vi } from 'vitest';

/** Spies on the syncs of files and folders to the disk. @param path any file or folder that can be opened. */
export async function spyOnSyncs(path: string) {
  const handle = await open(path, 'r');
  await handle.close();
  // The class of the handles is not exported.
  const handles: FileHandle = Object.getPrototypeOf(handle);
  return vi.spyOn(handles, 'sync');
}
