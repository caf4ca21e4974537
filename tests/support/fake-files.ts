import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { Files } from '../../src/data/files.ts';
import type { LazyLive } from '../../src/lib/lazy-live.ts';
import { cell, type Cell } from './cell.ts';

export interface FakeFiles extends LazyLive<Files> {
  /** Addresses of pictures, by dog. */
  readonly pictures: Cell<Readonly<Record<string, string>>>;
  readonly jobs: Cell<readonly OutboxJob[]>;
}

function unexpected(): Promise<never> {
  return Promise.reject(new Error('this command was not expected'));
}

/** An owner's files in memory, loaded already. Commands fail unless they are given. */
export function fakeFiles(commands: Partial<Files> = {}): FakeFiles {
  const pictures = cell<Readonly<Record<string, string>>>({});
  const jobs = cell<readonly OutboxJob[]>([]);
  const files: Files = {
    picture: ({ id }) => ({ ...pictures, getSnapshot: () => pictures.getSnapshot()[id] ?? null }),
    jobs: () => jobs,
    setProfilePicture: unexpected,
    retryFile: unexpected,
    discardFile: unexpected,
    readFile: unexpected,
    ...commands,
  };
  return {
    pictures,
    jobs,
    load: async () => files,
    getSnapshot: () => files,
    subscribe: () => () => undefined,
  };
}

/** A picture of that dog on its way. */
export function pictureJob(petId: string, part: Partial<OutboxJob> = {}): OutboxJob {
  return {
    id: `profile-picture:${petId}`,
    kind: 'profile-picture',
    petId,
    entryId: null,
    stage: 'queued',
    token: 'token',
    objectName: `pets/${petId}/images/profile.jpg`,
    contentType: 'image/jpeg',
    byteLength: 1,
    md5: 'md5',
    createdAtMs: 1,
    attempts: 0,
    nextAttemptAtMs: 0,
    code: null,
    ...part,
  };
}
