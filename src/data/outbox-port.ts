import type { CachedPicture, OutboxJob } from '../../schemas/outbox-job.ts';
import type { CachedAudio, RecordingChunk, StoredRecording } from '../../schemas/voice-note.ts';

/** A value that changes, as RxJS and Dexie have it. */
export interface Watchable<T> {
  subscribe(observer: {
    readonly next: (value: T) => void;
    readonly error: (error: unknown) => void;
  }): { unsubscribe(): void };
}

export interface LocalPicture {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
  readonly md5: string;
  /** It is not on the server yet: newer than whatever the dog's document says. */
  readonly isWaiting: boolean;
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
    remove(job: OutboxJob): Promise<boolean>;
  };
  readonly pictures: {
    get(petId: string): Promise<CachedPicture | null>;
    keep(picture: Omit<CachedPicture, 'usedAtMs' | 'byteLength'>): Promise<void>;
    touch(petId: string): Promise<void>;
  };
  readonly recordings: {
    begin(recording: StoredRecording): Promise<void>;
    append(chunk: RecordingChunk): Promise<void>;
    finish(id: string, durationMs?: number): Promise<OutboxJob | null>;
    discard(id: string): Promise<void>;
    list(): Promise<readonly StoredRecording[]>;
  };
  readonly audios: {
    get(objectName: string): Promise<CachedAudio | null>;
    use(objectName: string): Promise<CachedAudio | null>;
    keep(audio: Omit<CachedAudio, 'usedAtMs' | 'byteLength'>): Promise<void>;
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
  addPicture(picture: {
    readonly petId: string;
    readonly bytes: ArrayBuffer;
    readonly contentType: string;
    readonly chosenAtMs: number;
    readonly replaces: readonly string[];
  }): Promise<void>;
  watchPicture(petId: string): Watchable<LocalPicture | null>;
}
