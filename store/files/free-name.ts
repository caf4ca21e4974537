import { audioExtension, audioPath } from '../../schemas/voice-note.ts';
import type { FileStore } from '../file-store.ts';

/** A recording that needs a name on the server. */
export interface Unnamed {
  readonly entryId: string;
  readonly petId: string;
  readonly contentType: string;
  /** Epoch milliseconds, after which it is to be named. */
  readonly timestampMs: number;
}

/** After its millisecond, or the next one that no other recording on this device is named after. */
export async function freeName(
  files: Pick<FileStore, 'read'>,
  { entryId, petId, contentType, timestampMs }: Unnamed,
): Promise<string> {
  const extension = audioExtension(contentType) ?? 'webm';
  const isTaken = async (name: string): Promise<boolean> => {
    const found = await files.read(name);
    return found !== null && found.documentId !== entryId;
  };
  for (let timestamp = timestampMs; ; timestamp += 1) {
    const name = audioPath(petId, timestamp, extension);
    if (!(await isTaken(name))) return name;
  }
}

const timestampPattern = /voice-note-(\d+)\./;

/** @returns 0 for a name of no recording. */
export function timestampOf(objectName: string): number {
  return Number(timestampPattern.exec(objectName)?.[1] ?? 0);
}
