import { audioExtension, audioPath } from '../../schemas/documents/voice-note.ts';
import type { FileStore } from '../file-store.ts';

/** A recording that needs a name on the server. */
export interface Unnamed {
  readonly entryId: string;
  readonly petId: string;
  readonly contentType: string;
  /** The time in its name, in epoch milliseconds. */
  readonly timestampMs: number;
}

function nameAt({ petId, contentType }: Unnamed, timestampMs: number): string {
  return audioPath(petId, timestampMs, audioExtension(contentType) ?? 'webm');
}

/** Returns the name by its millisecond, without checking whether it is taken. */
export function firstName(unnamed: Unnamed): string {
  return nameAt(unnamed, unnamed.timestampMs);
}

/** Returns the name by its millisecond, or by the next one that no other recording on this device has. */
export async function freeName(files: Pick<FileStore, 'read'>, unnamed: Unnamed): Promise<string> {
  const isTaken = async (name: string): Promise<boolean> => {
    const found = await files.read(name);
    return found !== null && found.documentId !== unnamed.entryId;
  };
  for (let timestampMs = unnamed.timestampMs; ; timestampMs += 1) {
    const name = nameAt(unnamed, timestampMs);
    if (!(await isTaken(name))) return name;
  }
}

const timestampPattern = /voice-note-(\d+)\./;

/** @returns the time in a name; 0 if it is no recording's name. */
export function timestampOf(objectName: string): number {
  return Number(timestampPattern.exec(objectName)?.[1] ?? 0);
}
