import type { CachedPicture, OutboxJob } from '../../schemas/outbox-job.ts';

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
    get(id: string): Promise<OutboxJob | null>;
    readBytes(job: OutboxJob): Promise<ArrayBuffer | null>;
    move(
      job: OutboxJob,
      changes: Pick<OutboxJob, 'stage' | 'attempts' | 'nextAttemptAtMs' | 'code'>,
    ): Promise<OutboxJob | null>;
    remove(job: OutboxJob): Promise<boolean>;
  };
  readonly pictures: {
    keep(picture: Omit<CachedPicture, 'usedAtMs' | 'byteLength'>): Promise<void>;
    touch(petId: string): Promise<void>;
  };
  addPicture(picture: {
    readonly petId: string;
    readonly bytes: ArrayBuffer;
    readonly contentType: string;
  }): Promise<void>;
  watchPicture(petId: string): Watchable<LocalPicture | null>;
}
