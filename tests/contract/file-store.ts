import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bytesIdOf,
  cachedPictureId,
  pictureBytesId,
  type FileBytes,
} from '../../schemas/local/file-bytes.ts';
import { newDocument } from '../../schemas/documents/document.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import type { DocumentStore, Writes } from '../../store/document-store.ts';
import type { FileStore } from '../../store/file-store.ts';
import { petVersion, pictureJob, voiceJob } from '../support/fixtures/file-records.ts';
import { bytesOf, textOf } from '../support/setups/test-outbox.ts';

export interface FileStoreSetup {
  readonly store: DocumentStore;
  readonly files: FileStore;
  dispose(): Promise<void>;
}

const entry = newDocument(
  { collection: 'entries', id: 'e1', ownerId: 'o', petId: 'p1' },
  { createdDate: 1, type: 'voice-note' },
  1,
);
const entryAdded = { swaps: [{ from: null, to: entry }] } as const;

function fileBytes(id: string, text: string, part: Partial<FileBytes> = {}): FileBytes {
  const bytes = bytesOf(text);
  const { byteLength } = bytes;
  const common = { kind: 'voice-note', documentId: 'e1', contentType: 'audio/webm' } as const;
  return { id, ...common, bytes, byteLength, md5: `md5 of ${text}`, usedAtMs: 1, ...part };
}

function written(bytes: FileBytes): Writes {
  return { bytes: [[bytes.id, bytes]] };
}

async function idsOf(files: FileStore): Promise<string[]> {
  const found = [...(await files.list('profile-picture')), ...(await files.list('voice-note'))];
  return found.map(({ id }) => id).toSorted((one, other) => (one < other ? -1 : 1));
}

const noRoom = { maxBytes: { 'profile-picture': 0, 'voice-note': 0 } };

/** Defines the suite that every implementation of {@link FileStore} must pass, with the commits that write to it. */
export function describeFileStore(name: string, setup: () => Promise<FileStoreSetup>): void {
  describe(`FileStore: ${name}`, () => {
    let opened: FileStoreSetup;
    let store: DocumentStore;
    let files: FileStore;

    beforeEach(async () => {
      opened = await setup();
      ({ store, files } = opened);
    });

    afterEach(async () => {
      await opened.dispose();
    });

    const storedJob = async (id: string): Promise<OutboxJob | null> => {
      const record = await store.readRecord(id);
      return record?.kind === 'outbox-job' ? record.job : null;
    };

    describe('jobs', () => {
      const job = voiceJob('e1', { replacesStamp: 4 });
      const added = { jobs: [{ from: null, to: job }] };

      it('are added once, and changed or removed only by a writer that has read the current job', async () => {
        expect(await store.commit(added)).toBe(true);
        expect(await storedJob(job.id)).toEqual(job);
        expect([...(await store.listRecords('outbox-job')).keys()]).toEqual([job.id]);
        expect(await store.commit(added)).toBe(false);
        const later = { ...job, nextAttemptAtMs: 9 };
        expect(await store.commit({ jobs: [{ from: job, to: later }] })).toBe(true);
        expect(await store.commit({ jobs: [{ from: job, to: { ...job, attempts: 2 } }] })).toBe(
          false,
        );
        expect(await store.commit({ jobs: [{ from: job, to: null }] })).toBe(false);
        expect(await storedJob(job.id)).toEqual(later);
        expect(await store.commit({ jobs: [{ from: later, to: null }] })).toBe(true);
        expect(await storedJob(job.id)).toBeNull();
        expect(await store.commit({ jobs: [{ from: later, to: null }] })).toBe(false);
      });

      it('are committed atomically with document, bytes and pieces', async () => {
        const recording = { id: 'e1', petId: 'p1', contentType: 'audio/webm', startedAtMs: 1 };
        await files.beginRecording(recording);
        const bytes = fileBytes(bytesIdOf(job), 'sound');
        const whole: Writes = { ...entryAdded, ...written(bytes), recordings: ['e1'] };
        const seenOtherwise = { jobs: [{ from: job, to: { ...job, attempts: 1 } }] };
        expect(await store.commit({ ...whole, ...seenOtherwise })).toBe(false);
        expect(await files.read(bytes.id)).toBeNull();
        expect(await files.listRecordings()).toEqual([recording]);
        expect((await store.get('entries', ['e1'])).size).toBe(0);

        expect(await store.commit({ ...whole, ...added })).toBe(true);
        expect(textOf((await files.read(bytes.id))?.bytes)).toBe('sound');
        expect(await files.listRecordings()).toEqual([]);
        expect((await store.get('entries', ['e1'])).size).toBe(1);
        expect(await storedJob(job.id)).toEqual(job);
      });
    });

    describe('bytes', () => {
      it('are read back unchanged, replaced, and removed even if they are missing', async () => {
        const bytes = fileBytes('a', 'one');
        await store.commit(written(bytes));
        expect(await files.read('a')).toEqual(bytes);
        await store.commit(written(fileBytes('a', 'other')));
        expect(textOf((await files.read('a'))?.bytes)).toBe('other');
        await store.commit(written({ ...fileBytes('a', 'other'), documentId: 'e2' }));
        expect(await files.list('voice-note')).toMatchObject([{ id: 'a', documentId: 'e2' }]);
        expect(await files.list('profile-picture')).toEqual([]);
        for (let time = 0; time < 2; time += 1) {
          expect(await store.commit({ bytes: [['a', null]] })).toBe(true);
          expect(await files.read('a')).toBeNull();
        }
        await files.touch('a', 5);
        expect(await files.read('a')).toBeNull();
      });

      it('of another document are never overwritten', async () => {
        await store.commit(written(fileBytes('a', 'one')));
        const other = fileBytes('a', 'other', { documentId: 'e2' });
        const job = voiceJob('e2');
        const commit = { ...written(other), jobs: [{ from: null, to: job }] };
        expect(await store.commit(commit)).toBe(false);
        expect(textOf((await files.read('a'))?.bytes)).toBe('one');
        expect(await storedJob(job.id)).toBeNull();
      });

      it('that must be new fail the commit if there are any, even the same', async () => {
        const bytes = fileBytes('a', 'one');
        const asNew = (value: FileBytes): Writes => ({ bytes: [['a', value, null]] });
        expect(await store.commit(asNew(bytes))).toBe(true);
        expect(await store.commit(asNew(bytes))).toBe(false);
        expect(await store.commit(asNew({ ...bytes, documentId: 'e2' }))).toBe(false);
        expect(await files.read('a')).toEqual(bytes);
      });

      it('are kept while a job needs them, above any limit', async () => {
        const jobs = [voiceJob('e1'), pictureJob('p1', { md5: 'm' })];
        await store.commit({ jobs: jobs.map((to) => ({ from: null, to })) });
        for (const job of jobs) {
          await store.commit(written(fileBytes(bytesIdOf(job), 'x', { kind: job.kind })));
        }
        await files.evictLeastRecentlyUsed(noRoom);
        expect(await idsOf(files)).toHaveLength(2);
        for (const job of jobs) await store.commit({ jobs: [{ from: job, to: null }] });
        await files.evictLeastRecentlyUsed(noRoom);
        expect(await idsOf(files)).toEqual([]);
      });

      it('are removed with the last job that needs them, in its own commit', async () => {
        const jobs = [voiceJob('e1'), voiceJob('e2')] as const;
        const [one, other] = jobs;
        const bytes = fileBytes(bytesIdOf(one), 'of both');
        await store.commit({ ...written(bytes), jobs: jobs.map((to) => ({ from: null, to })) });
        await store.commit({ jobs: [{ from: one, to: null }], bytes: [[bytes.id, null]] });
        expect(textOf((await files.read(bytes.id))?.bytes)).toBe('of both');
        await store.commit({ jobs: [{ from: other, to: null }], bytes: [[bytes.id, null]] });
        expect(await files.read(bytes.id)).toBeNull();
      });

      it('of pictures that can be restored, or are being restored, are kept; other versions are removed at once', async () => {
        const version = petVersion({
          fields: { profilePictureVersion: 'kept' },
          edits: { profilePictureVersion: 1 },
        });
        const placed = {
          kind: 'place-file',
          collection: 'pets',
          documentId: 'p2',
          sourceId: 'p1',
          objectName: null,
          version: 'placed',
          chosenAtMs: 1,
        } as const;
        await store.commit({
          records: [
            ['conflict-version', version],
            ['placed', placed],
          ],
        });
        const ids = ['kept', 'placed', 'obsolete'].map((md5) =>
          pictureBytesId({ petId: 'p1', md5 }),
        );
        const ofPet = { kind: 'profile-picture', documentId: 'p1' } as const;
        for (const id of [...ids, cachedPictureId('p1')]) {
          await store.commit(written(fileBytes(id, 'x', ofPet)));
        }
        const room = { maxBytes: { 'profile-picture': 9, 'voice-note': 9 } };
        await files.evictLeastRecentlyUsed(room);
        expect(await idsOf(files)).toEqual([cachedPictureId('p1'), ...ids.slice(0, 2)].toSorted());
        await files.evictLeastRecentlyUsed({ ...room, withoutPets: new Set(['p1']) });
        expect(await idsOf(files)).toEqual(ids.slice(0, 2).toSorted());
      });

      it('in a cache are evicted above its limit, the least recently used first', async () => {
        for (const [at, id] of ['a', 'b', 'c'].entries()) {
          await store.commit(written(fileBytes(id, '1234', { usedAtMs: at })));
        }
        await files.touch('a', 7);
        await files.evictLeastRecentlyUsed({ maxBytes: { 'profile-picture': 0, 'voice-note': 8 } });
        expect(await idsOf(files)).toEqual(['a', 'c']);
      });
    });

    it('recordings have their pieces in order, and are removed with all of their own pieces', async () => {
      for (const id of ['e1', 'e10']) {
        await files.beginRecording({ id, petId: 'p', contentType: 'audio/webm', startedAtMs: 1 });
        for (let index = 0; index < 12; index += 1) {
          const piece = { recordingId: id, index, bytes: bytesOf(`${index}`), untilMs: index };
          await files.addPiece(piece);
        }
      }
      const pieces = (await files.readRecording('e1'))?.pieces ?? [];
      expect(pieces.map(({ index }) => index)).toEqual([...Array.from({ length: 12 }).keys()]);
      await store.commit({ recordings: ['e1'] });
      expect(await files.readRecording('e1')).toBeNull();
      expect((await files.readRecording('e10'))?.pieces).toHaveLength(12);
      await files.beginRecording({
        id: 'e1',
        petId: 'p',
        contentType: 'audio/webm',
        startedAtMs: 2,
      });
      expect((await files.readRecording('e1'))?.pieces).toEqual([]);
    });
  });
}
