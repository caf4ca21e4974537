import { describe, expect, it, vi } from 'vitest';
import {
  asDeleted,
  newerSchemaCode,
  type LocalDocument,
} from '../../schemas/documents/document.ts';
import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { clean, newEntry } from '../../tests/support/fixtures/sync-documents.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { bytesOf, onlyJob, putJob } from '../../tests/support/setups/test-outbox.ts';
import type { RemoteFiles, Transcriber } from '../ports.ts';
import { readLedgerOf } from './ledger.ts';
import { createVoiceNotePolicy } from './voice-note-policy.ts';

const objectName = 'pets/p1/audios/voice-note-5.webm';
const md5 = md5Of(bytesOf('sound'));
const recording = voiceJob('e1', { petId: 'p1', objectName, byteLength: 5, durationMs: 4_000 });
const { signal } = new AbortController();

const entryWith = (fields: Fields): LocalDocument =>
  clean(newEntry({ id: 'e1', petId: 'p1', fields: { type: 'voice-note', ...fields } }), 2);

interface Given {
  readonly entry?: LocalDocument;
  readonly job?: Partial<OutboxJob>;
  readonly hasBytes?: boolean;
  /** The hash of the file that the server has under the job's name. */
  readonly stored?: string;
}

async function setUp({ entry, job: changes, hasBytes = true, stored }: Given) {
  const { store, outbox, deps } = setUpLedger();
  const job = { ...recording, ...changes };
  if (entry !== undefined) store.put(entry);
  if (hasBytes) await putJob(store, job, bytesOf('sound'));
  else await store.commit({ jobs: [{ from: null, to: job }] });
  const stat = vi.fn<RemoteFiles['stat']>(async () =>
    stored === undefined ? null : { objectName, byteLength: 5, md5: stored },
  );
  const transcribe = vi.fn<Transcriber['transcribe']>(async () => ({ text: 'x', rough: false }));
  const onWritten = vi.fn<() => void>();
  const policy = createVoiceNotePolicy({
    ...deps,
    files: { ...deps.files, stat },
    transcriber: { transcribe },
    onWritten,
  });
  const document = entry ?? entryWith({});
  const at = { job, document, ledger: await readLedgerOf(deps, job), signal };
  const written = () => store.documents('entries')[0];
  const removals = async () => [...(await store.listRecords('remove-file')).values()];
  return { outbox, policy, at, job, stat, transcribe, onWritten, written, removals };
}

describe('an upload that the server has confirmed', () => {
  const file = { fileLocation: objectName, contentType: 'audio/webm', durationMs: 4_000 };

  it.each<[string, Fields, readonly string[]]>([
    ['nothing', {}, []],
    ['another file', { ...file, fileLocation: 'pets/p1/audios/before.webm' }, ['before']],
    ['the same file without its duration', { fileLocation: objectName }, []],
  ])('O4.4 O6.1 is named by the entry, in place of %s', async (_, before, left) => {
    const { policy, at, onWritten, written, removals } = await setUp({ entry: entryWith(before) });
    expect(await policy.settle(at)).toBe(true);
    expect(written()?.fields).toMatchObject(file);
    expect(onWritten).toHaveBeenCalledOnce();
    expect(await removals()).toMatchObject(
      left.map((name) => ({
        documentId: 'e1',
        objectName: `pets/p1/audios/${name}.webm`,
        notBeforeMs: 1_000 + deletedEntryFileKeptMs,
      })),
    );
  });

  it('O4.4 changes no entry that names it already', async () => {
    const entry = entryWith(file);
    const { policy, at, onWritten, written } = await setUp({ entry });
    expect(await policy.settle(at)).toBe(true);
    expect(written()).toBe(entry);
    expect(onWritten).not.toHaveBeenCalled();
  });

  it('O4.4 changes no duration that its job does not know', async () => {
    const { durationMs: _, ...job } = recording;
    const { policy, at, written } = await setUp({ entry: entryWith({ durationMs: 9 }) });
    await policy.settle({ ...at, job });
    expect(written()?.fields).toMatchObject({ fileLocation: objectName, durationMs: 9 });
  });

  it.each([
    ['is not here', undefined],
    ['is deleted', asDeleted(entryWith({}))],
  ])('O4.5 is not settled if its entry %s', async (_, entry) => {
    const { policy, at, onWritten } = await setUp({ ...(entry && { entry }) });
    expect(await policy.settle(at)).toBe(false);
    expect(onWritten).not.toHaveBeenCalled();
  });
});

describe('a transcript', () => {
  it.each([
    ['done', 'done', false],
    ['edited', 'edited', false],
    ['waiting', 'waiting', true],
    ['unheard', 'unheard', true],
    ['failed', 'failed', true],
  ])('O4.4 is requested only while it is awaited: %s', async (_, transcript, isRequested) => {
    const { policy, at, transcribe } = await setUp({ entry: entryWith({ transcript }) });
    expect(await policy.transcribe?.(at)).toBe(true);
    expect(transcribe).toHaveBeenCalledTimes(isRequested ? 1 : 0);
  });
});

describe('before an upload', () => {
  it('O2.8 the server is not asked at the first attempt', async () => {
    const { policy, at, stat } = await setUp({ stored: 'other' });
    expect(await policy.prepare(at, md5)).toBeNull();
    expect(stat).not.toHaveBeenCalled();
  });

  it.each([
    ['none', undefined, null],
    ['this one', md5, md5],
  ])('O2.2 the server may have %s', async (_, stored, found) => {
    const { policy, at } = await setUp({ job: { attempts: 1 }, ...(stored && { stored }) });
    expect(await policy.prepare(at, md5)).toBe(found);
  });

  it('O2.8 the recording gets another name if the server has another file', async () => {
    const { policy, at, outbox } = await setUp({ job: { attempts: 1 }, stored: 'other' });
    const failure = { kind: 'transient', code: 'name-taken' };
    await expect(policy.prepare(at, md5)).rejects.toMatchObject(failure);
    expect((await onlyJob(outbox)).objectName).toBe('pets/p1/audios/voice-note-6.webm');
  });
});

describe('a job that is done', () => {
  const told = entryWith({ fileLocation: objectName });
  const pending = { ...told, pending: 1 } as const;

  it.each<[string, Given, 'ended' | 'uploading' | 'uploaded' | 'done', number]>([
    ['the server has the file', { entry: told, stored: md5 }, 'ended', 1],
    ['the server has lost the file', { entry: told }, 'uploading', 1],
    ['neither the server nor this device has it', { entry: told, hasBytes: false }, 'ended', 1],
    ['the server does not know the edit', { entry: pending, stored: md5 }, 'done', 0],
    ['its entry names another file', { entry: entryWith({ fileLocation: 'x' }) }, 'ended', 0],
    ['the edit that named the file was discarded', { entry: entryWith({}) }, 'uploaded', 0],
    [
      'that cannot be repeated yet',
      { entry: { ...entryWith({}), code: newerSchemaCode } },
      'done',
      0,
    ],
    ['it has only requested a transcript', { entry: told, job: { byteLength: 0 } }, 'ended', 0],
  ])('O4.10 ends, or uploads again: %s', async (...row) => {
    const [, given, stage, requests] = row;
    const before = { stage: 'done', attempts: 3, code: 'x', ...given.job } as const;
    const { policy, at, outbox, stat } = await setUp({ ...given, job: before });
    await policy.complete(at);
    expect(stat).toHaveBeenCalledTimes(requests);
    const isAgain = stage === 'uploading' || stage === 'uploaded';
    const left = isAgain ? { stage, attempts: 0, code: null } : { stage };
    expect(await outbox.queue.list()).toMatchObject(stage === 'ended' ? [] : [left]);
  });
});

it('O6.4 a file whose job is gone is named for removal, when a deletion cannot be undone', async () => {
  const { policy, job, removals } = await setUp({});
  await policy.leave?.(job);
  const notBeforeMs = 1_000 + deletedEntryFileKeptMs;
  expect(await removals()).toMatchObject([{ documentId: 'e1', objectName, notBeforeMs }]);
});
