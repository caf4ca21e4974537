import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import type { Files } from '../../../src/data/files/files.ts';
import type { SharedItem } from '../../../schemas/local/shared-item.ts';
import type { VoiceFiles, VoiceWork } from '../../../src/data/files/voice-files.ts';
import type { SharedItems } from '../../../src/data/shared-items.ts';
import type { LazyService } from '../../../src/lib/async/lazy-service.ts';
import { cell, type Cell } from './cell.ts';

export interface FakeVoice extends VoiceFiles {
  readonly recoveredJobs: Cell<readonly OutboxJob[]>;
  readonly works: Cell<Readonly<Record<string, OutboxJob>>>;
  readonly noEngine: Cell<boolean>;
  /** The number of recordings that stay unfinished. */
  readonly unfinished: Cell<number>;
}

export interface FakeFiles extends LazyService<Files> {
  /** URLs of pictures, by pet id. */
  readonly pictures: Cell<Readonly<Record<string, string>>>;
  readonly jobs: Cell<readonly OutboxJob[]>;
  readonly voice: FakeVoice;
  /** Items that other apps have shared, by id. */
  readonly shared: Map<string, SharedItem>;
}

export type FakeFileCommands = Partial<Omit<Files, 'voice'>> & {
  readonly voice?: Partial<VoiceFiles>;
};

function unexpected(): Promise<never> {
  return Promise.reject(new Error('this command was not expected'));
}

function fakeVoice(commands: Partial<VoiceFiles>): FakeVoice {
  const recoveredJobs = cell<readonly OutboxJob[]>([]);
  const works = cell<Readonly<Record<string, OutboxJob>>>({});
  const noEngine = cell(false);
  const unfinished = cell(0);
  const noWork: VoiceWork = { job: null };
  const byJob = new WeakMap<OutboxJob, VoiceWork>();
  const workOf = (job: OutboxJob | undefined): VoiceWork => {
    if (job === undefined) return noWork;
    const work = byJob.get(job) ?? { job };
    byJob.set(job, work);
    return work;
  };
  return {
    recoveredJobs,
    works,
    noEngine,
    unfinished,
    begin: unexpected,
    keep: unexpected,
    discard: unexpected,
    letGo: () => undefined,
    importRecording: unexpected,
    hasNoEngine: () => noEngine,
    recover: async () => unfinished.getSnapshot(),
    recovered: () => recoveredJobs,
    work: (id) => ({ ...works, getSnapshot: () => workOf(works.getSnapshot()[id]) }),
    open: unexpected,
    transcribeNow: unexpected,
    reopen: async () => null,
    requestText: unexpected,
    retranscribe: unexpected,
    ...commands,
  };
}

function fakeShared(items: Map<string, SharedItem>): SharedItems {
  return {
    list: async () => [...items.keys()],
    read: async (id) => items.get(id) ?? null,
    keepRest: async (id, restOf) => {
      const item = items.get(id);
      if (item === undefined) return null;
      const rest = restOf(item);
      if (rest.texts.length + rest.files.length === 0) items.delete(id);
      else items.set(id, rest);
      return rest;
    },
  };
}

/** Creates an owner's files in memory, already loaded. Commands that are not given fail. */
export function fakeFiles({ voice: spoken = {}, ...commands }: FakeFileCommands = {}): FakeFiles {
  const voice = fakeVoice(spoken);
  const pictures = cell<Readonly<Record<string, string>>>({});
  const jobs = cell<readonly OutboxJob[]>([]);
  const shared = new Map<string, SharedItem>();
  const files: Files = {
    voice,
    shared: fakeShared(shared),
    archive: {
      download: unexpected,
      recording: unexpected,
      picture: unexpected,
      ofVersion: unexpected,
      unfinished: unexpected,
      planPicture: unexpected,
      planRecording: unexpected,
    },
    picture: ({ id }) => ({ ...pictures, getSnapshot: () => pictures.getSnapshot()[id] ?? null }),
    jobs: () => jobs,
    setProfilePicture: unexpected,
    retryFile: unexpected,
    retryAllFiles: unexpected,
    discardFile: unexpected,
    readFile: unexpected,
    ...commands,
  };
  return {
    pictures,
    jobs,
    voice,
    shared,
    load: async () => files,
    getSnapshot: () => files,
    subscribe: () => () => undefined,
  };
}
