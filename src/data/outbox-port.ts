import type { FileBytes } from '../../schemas/file-bytes.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { RecordingChunk, StoredRecording } from '../../schemas/voice-note.ts';
import type { Writes } from '../../store/document-store.ts';
import type { Watchable } from '../../store/file-store.ts';

export interface LocalPicture {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
  /** It is not on the server yet: newer than whatever the dog's document says. */
  readonly isWaiting: boolean;
}

/** A file as it comes from the server, compared with its hash. */
export interface FetchedFile {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
}

export interface ChosenPicture {
  readonly petId: string;
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly chosenAtMs: number;
  readonly replaces: readonly string[];
}

/** What is needed of the outbox, which src/app passes in. */
export interface OutboxPort {
  readonly queue: {
    watch(): Watchable<readonly OutboxJob[]>;
    list(): Promise<readonly OutboxJob[]>;
    get(id: string): Promise<OutboxJob | null>;
    readBytes(job: OutboxJob): Promise<ArrayBuffer | null>;
    move(
      job: OutboxJob,
      changes: Pick<OutboxJob, 'stage' | 'attempts' | 'nextAttemptAtMs' | 'code'>,
    ): Promise<OutboxJob | null>;
    end(job: OutboxJob): Promise<boolean>;
    discard(job: OutboxJob, also?: Writes): Promise<boolean>;
  };
  readonly caches: {
    picture(petId: string): Promise<FileBytes | null>;
    recording(objectName: string): Promise<FileBytes | null>;
    use(id: string): Promise<void>;
    keepPicture(petId: string, file: FetchedFile): Promise<void>;
    keepRecording(entryId: string, objectName: string, file: FetchedFile): Promise<void>;
  };
  readonly recordings: {
    begin(recording: StoredRecording): Promise<void>;
    append(chunk: RecordingChunk): Promise<void>;
    finish(id: string, durationMs?: number): Promise<OutboxJob | null>;
    discard(id: string): Promise<void>;
    list(): Promise<readonly StoredRecording[]>;
    plan(sound: {
      readonly recording: StoredRecording;
      readonly bytes: ArrayBuffer;
      readonly durationMs: number;
      readonly stage: 'queued';
    }): Promise<{ readonly writes: Writes }>;
  };
  readonly voiceNotes: {
    askForWords(audio: {
      readonly entryId: string;
      readonly petId: string;
      readonly objectName: string;
      readonly contentType: string;
      readonly replacesStamp?: number | undefined;
    }): Promise<void>;
  };
  planPicture(picture: ChosenPicture): Promise<Writes>;
  addPicture(picture: ChosenPicture): Promise<void>;
  readPicture(petId: string): Promise<LocalPicture | null>;
  watchPicture(petId: string): Watchable<LocalPicture | null>;
}
