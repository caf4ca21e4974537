import type { Entry } from '../../../schemas/documents/document.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { transcriptAfter, type TranscribeAnswer } from '../../../schemas/transcription.ts';
import type { Live } from '../../lib/async/live.ts';
import type { KnownWords } from '../commands/commands.ts';

/** The content of a picture or recording. */
export interface FileContent {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

export interface WholeRecording extends FileContent {
  /** The id of its entry. */
  readonly id: string;
  readonly petId: string;
  /** Epoch milliseconds; the time of the entry. */
  readonly startedAtMs: number;
  /** 0 if it is not known. */
  readonly durationMs: number;
}

/** A recording as far as it is stored. */
export interface UnfinishedRecording extends WholeRecording {
  /** Whether a tab still makes it, so that this is only its beginning. */
  readonly isInProgress: boolean;
}

/** A recording in progress. No other tab takes it for an interrupted one. */
export interface OpenRecording {
  /** The id of the entry that it becomes. */
  readonly id: string;
  /** Appends bytes, which are durable when it resolves. @param untilMs the length of the recording including them. */
  append(bytes: ArrayBuffer, untilMs: number): Promise<void>;
  /**
   * Completes the recording on this device; it can then be kept or discarded. @returns false if nothing was recorded.
   */
  finish(durationMs: number): Promise<boolean>;
  discard(): Promise<void>;
}

/** A finished recording without an entry, with its transcript. */
export interface HeardRecording {
  readonly id: string;
  readonly durationMs: number;
  readonly heard: TranscribeAnswer;
}

/** Returns what is known of a text after an answer. @param heard null if the server makes no transcripts. */
export function heardWords(heard: TranscribeAnswer | null): KnownWords {
  return { text: heard?.text ?? '', transcript: transcriptAfter(heard) };
}

/** The fields of an entry that decide where its recording is. */
export type SpokenEntry = Pick<Entry, 'id' | 'petId' | 'fields'>;

export interface VoiceWork {
  /** The job of the recording; null if this device knows of none. */
  readonly job: OutboxJob | null;
}

/** The part of {@link Files} for voice notes. All methods reject only with a `CommandError`. */
export interface VoiceFiles {
  /** Starts a recording. Rejects if the device has no room. */
  begin(recording: {
    readonly petId: string;
    readonly contentType: string;
  }): Promise<OpenRecording>;
  /**
   * Writes the entry of a finished recording; the upload follows.
   * @param words its text as far as it is known, by default the transcript that was made of it; without one, the server is
   *   asked for it.
   */
  keep(id: string, words?: KnownWords): Promise<void>;
  discard(id: string): Promise<void>;
  /** Gives up a finished recording that could not be kept: it is offered like an interrupted one. */
  letGo(id: string): void;
  /** Makes a voice note of a sound that another app has shared. The same id adds no second entry. */
  importRecording(sound: WholeRecording & { readonly waveform: string }): Promise<void>;
  /**
   * Assembles interrupted recordings, so that they are offered and counted as files.
   * @returns the number of recordings that stay unfinished: another tab makes them, or they could not be assembled.
   */
  recover(): Promise<number>;
  /** The recordings that were finished or interrupted without an entry, and that no tab holds. */
  recovered(): Live<readonly OutboxJob[]>;
  /** True after the server has answered that it makes no transcripts, until it makes one. */
  hasNoEngine(): Live<boolean>;
  /** The pending work for the recording of an entry. */
  work(entryId: string): Live<VoiceWork>;
  /** Reads the recording from this device, or else from the server. */
  open(entry: SpokenEntry): Promise<FileContent>;
  /**
   * Has the server transcribe a finished recording at once, and stores the transcript with it. @returns null if that
   * server makes no transcripts.
   */
  transcribeNow(id: string, signal: AbortSignal): Promise<TranscribeAnswer | null>;
  /**
   * Takes hold again of a recording whose page went before its transcript was sent. @returns `held` if a tab has it; null if
   * it is not there, or has an entry by now.
   */
  reopen(id: string): Promise<HeardRecording | 'held' | null>;
  /**
   * Has the server transcribe the recording of an entry whose transcript nobody may be waiting for any more. A person's
   * text stays. Does nothing if this device has a job for it, or if the entry names no file.
   */
  requestText(entry: SpokenEntry): Promise<void>;
  /** Has the server transcribe the recording of an entry again. */
  retranscribe(entry: SpokenEntry): Promise<void>;
}
