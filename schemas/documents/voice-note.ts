/**
 * By type, the name's end: the types that a browser records, in the order of the specification, and then those that other
 * apps share.
 */
const audioExtensions: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
};

/** @returns null if it is no type of ours. */
export function audioExtension(contentType: string): string | null {
  return audioExtensions[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? null;
}

/** @param timestamp a whole number of at most 16 digits. */
export function audioPath(petId: string, timestamp: number, extension: string): string {
  return `pets/${petId}/audios/voice-note-${String(timestamp)}.${extension}`;
}

/** A journal entry has one recording, and its job its name. */
export function voiceNoteJobId(entryId: string): string {
  return `voice-note:${entryId}`;
}

/** A recording under way, or one that was cut off. */
export interface StoredRecording {
  /** That of the entry it becomes. */
  readonly id: string;
  readonly petId: string;
  /** As the recorder names it, with its codec. */
  readonly contentType: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}

/** A piece of a recording, stored as it comes. */
export interface RecordingChunk {
  readonly recordingId: string;
  /** From 0, without gaps. */
  readonly index: number;
  readonly bytes: ArrayBuffer;
  /** How long the recording is with it. */
  readonly untilMs: number;
}
