import type { EntryRow } from '../../../schemas/documents/document.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { TranscribeAnswer } from '../../../schemas/transcription.ts';
import type { Live } from '../../lib/async/live.ts';
import type { KnownWords } from '../commands/commands.ts';

export interface Sound {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

/** A recording under way. Nobody else takes it for one that was cut off. */
export interface OpenRecording {
  /** That of the entry it becomes. */
  readonly id: string;
  /** Durable when it resolves. @param untilMs how long the recording is with it. */
  append(bytes: ArrayBuffer, untilMs: number): Promise<void>;
  /** It is whole and on this device, and waits to be kept or discarded. @returns false if nothing was recorded. */
  finish(durationMs: number): Promise<boolean>;
  discard(): Promise<void>;
}

/** A sound that was not recorded here. */
export interface GivenSound extends Sound {
  /** That of the entry it becomes: given again, it becomes no second one. */
  readonly id: string;
  readonly petId: string;
  readonly durationMs: number;
  readonly waveform: string;
  /** Epoch milliseconds; the time of the entry. */
  readonly givenAtMs: number;
}

/** What of an entry decides where its recording is. */
export type SpokenEntry = Pick<EntryRow, 'id' | 'petId' | 'fileLocation' | 'contentType'>;

export interface VoiceWork {
  /** null: nothing that this device knows of. */
  readonly job: OutboxJob | null;
}

/** The part of {@link Files} for voice notes. All fail with a `CommandError` only. */
export interface VoiceFiles {
  /** Fails, with a sentence, if the device has no room. */
  begin(recording: {
    readonly petId: string;
    readonly contentType: string;
  }): Promise<OpenRecording>;
  /**
   * Writes the entry of a finished recording, which is uploaded when that is possible.
   * @param words its text as far as it is known; without it, the server is asked.
   */
  keep(id: string, words?: KnownWords): Promise<void>;
  discard(id: string): Promise<void>;
  /** Makes a voice note of a sound that another app has shared. */
  importRecording(sound: GivenSound): Promise<void>;
  /** Finished or cut off without an entry, and in nobody's hands. */
  recovered(): Live<readonly OutboxJob[]>;
  /** The server has answered that it makes no texts, and has made none since. */
  hasNoEngine(): Live<boolean>;
  /** What is still to be done for the recording of an entry. */
  work(entryId: string): Live<VoiceWork>;
  /** From this device, else from the server. */
  open(entry: SpokenEntry): Promise<Sound>;
  /** The bytes of a recovered recording. */
  openRecovered(job: OutboxJob): Promise<Sound>;
  /** Has the server listen to a finished recording at once. @returns null if that server makes no texts. */
  transcribeNow(id: string, signal: AbortSignal): Promise<TranscribeAnswer | null>;
  /** Has the server listen once more to the recording of an entry. */
  retranscribe(entry: SpokenEntry): Promise<void>;
}
