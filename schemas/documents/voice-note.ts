export type AudioExtension = 'webm' | 'mp4' | 'ogg' | 'mp3' | 'wav' | 'aac' | 'flac';

/**
 * The file extension by content type: the types that a browser records, in the order of the specification, then those
 * that other apps share.
 */
const audioExtensions: Readonly<Record<string, AudioExtension>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'mp4',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/aac': 'aac',
  'audio/flac': 'flac',
};

/** @returns null for an unsupported type. */
export function audioExtension(contentType: string): AudioExtension | null {
  return audioExtensions[contentType.split(';')[0]?.trim().toLowerCase() ?? ''] ?? null;
}

/** @param timestamp a whole number of at most 16 digits. */
export function audioPath(petId: string, timestamp: number, extension: string): string {
  return `pets/${petId}/audios/voice-note-${String(timestamp)}.${extension}`;
}

/** Returns the id of an entry's job. An entry has one recording, so the id is derived from the entry's. */
export function voiceNoteJobId(entryId: string): string {
  return `voice-note:${entryId}`;
}

/** A recording in progress, or one that was interrupted. */
export interface StoredRecording {
  /** The id of the entry that it becomes. */
  readonly id: string;
  readonly petId: string;
  /** The recorder's MIME type, with its codec. */
  readonly contentType: string;
  /** Epoch milliseconds. */
  readonly startedAtMs: number;
}

/** A piece of a recording, stored as it arrives. */
export interface RecordingChunk {
  readonly recordingId: string;
  /** The index of the piece, from 0, without gaps. */
  readonly index: number;
  readonly bytes: ArrayBuffer;
  /** The duration of the recording up to the end of this piece. */
  readonly untilMs: number;
}
