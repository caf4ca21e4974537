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

/** Returns the name by its millisecond, without checking whether it is taken. */
export function firstName({ petId, contentType, timestampMs }: Unnamed): string {
  return audioPath(petId, timestampMs, audioExtension(contentType) ?? 'webm');
}

/** Returns the name by its millisecond, or by the next one that no other recording on this device has. */
export async function freeName(files: Pick<FileStore, 'read'>, unnamed: Unnamed): Promise<string> {
  for (let { timestampMs } = unnamed; ; timestampMs += 1) {
    const name = firstName({ ...unnamed, timestampMs });
    const found = await files.read(name);
    if (found === null || found.documentId === unnamed.entryId) return name;
  }
}

const timestampPattern = /voice-note-(\d+)\./;

/** @returns the time in a name; 0 if it is no recording's name. */
export function timestampOf(objectName: string): number {
  return Number(timestampPattern.exec(objectName)?.[1] ?? 0);
}
