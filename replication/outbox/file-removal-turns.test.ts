import { describe, expect, it, vi } from 'vitest';
import { checkpointId, emptyCheckpoint } from '../../schemas/local/local-record.ts';
import { removal } from '../../schemas/local/remove-file.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { createMemoryRemoteFiles } from '../../tests/support/fakes/memory-remote-files.ts';
import { clean, newEntry } from '../../tests/support/fixtures/sync-documents.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { lostWith } from '../../tests/support/setups/outbox-setup.ts';
import { bytesOf } from '../../tests/support/setups/test-outbox.ts';
import { backoffCapMs } from '../connectivity/backoff.ts';
import { createFileRemovals } from './file-removals.ts';
import { readLedger, type Ledger } from './ledger.ts';

const signal = new AbortController().signal;

function setUpRemovals() {
  const { store, outbox, deps } = setUpLedger();
  const server = createMemoryRemoteFiles();
  let nowMs = 1_000;
  const ledgerDeps = { ...deps, clock: { now: () => nowMs } };
  const removals = createFileRemovals({
    ...ledgerDeps,
    files: server.connect(),
  });
  const run = (ledger: Ledger) => removals.run(ledger, { isUrgent: false, signal });
  return {
    store,
    outbox,
    run,
    read: () => readLedger(ledgerDeps),
    server,
    passTime: (ms: number) => {
      nowMs += ms;
    },
    name: (file: string, notBeforeMs = 0) =>
      writeRecord(store, ...removal({ collection: 'entries', id: file }, file, notBeforeMs)),
    runAt: async (atMs: number) => {
      nowMs = atMs;
      return run(await readLedger(ledgerDeps));
    },
  };
}

describe('the time of the next removal', () => {
  it('O6.2 is that of the file that may go first, and none without a file', async () => {
    const { name, runAt, server } = setUpRemovals();
    for (const [file, atMs] of Object.entries({ a: 5_000, b: 3_000, c: 1_000 })) {
      await name(file, atMs);
    }
    expect(await runAt(1_000)).toBe(3_000);
    expect(await runAt(3_000)).toBe(5_000);
    expect(await runAt(5_000)).toBeNull();
    expect(server.removals).toEqual(['c', 'b', 'a']);
  });

  it('O6.3 is that of the end of a pause, which grows until a removal succeeds', async () => {
    const { name, runAt, server } = setUpRemovals();
    server.refuseRemoval(() => lostWith('http-503'));
    await name('a');
    expect(await runAt(1_000)).toBe(3_000);
    expect(await runAt(2_999)).toBe(3_000);
    expect(server.removals).toHaveLength(1);
    expect(await runAt(3_000)).toBe(7_000);
    server.refuseRemoval(() => null);
    expect(await runAt(7_000)).toBeNull();
    server.refuseRemoval(() => lostWith('http-503'));
    await name('b');
    expect(await runAt(7_000)).toBe(9_000);
  });

  it('O6.3 is now if they took long, so that uploads have a turn before the others', async () => {
    const { name, runAt, server, passTime } = setUpRemovals();
    for (const file of ['a', 'b', 'c']) await name(file);
    server.refuseRemoval(() => {
      passTime(20_000);
      return null;
    });
    expect(await runAt(1_000)).toBe(1_000);
    expect(server.removals).toEqual(['a', 'b']);
    expect(await runAt(41_000)).toBeNull();
    expect(server.removals).toEqual(['a', 'b', 'c']);
  });

  it('O6.3 is that of the end of a pause if the server has no answer for the first', async () => {
    const { name, runAt, server, passTime } = setUpRemovals();
    for (const file of ['a', 'b']) await name(file);
    server.refuseRemoval(() => {
      passTime(120_000);
      return lostWith('timeout');
    });
    expect(await runAt(1_000)).toBe(123_000);
    expect(server.removals).toEqual(['a']);
  });

  it('O6.3 is not put off by a clock that was set back', async () => {
    const { name, runAt, server } = setUpRemovals();
    server.refuseRemoval(() => lostWith('http-503'));
    await name('a');
    await runAt(backoffCapMs + 1_000);
    server.refuseRemoval(() => null);
    expect(await runAt(1_000)).toBeNull();
    expect(server.removals).toEqual(['a', 'a']);
  });
});

describe('a file that is needed again while others are removed', () => {
  it('O6.2 stays if a document that was fetched meanwhile refers to it', async () => {
    const { store, name, runAt, server } = setUpRemovals();
    for (const file of ['a', 'b']) await name(file);
    server.refuseRemoval(() => {
      store.put(clean(newEntry({ id: 'again', petId: 'p1', fields: { fileLocation: 'b' } }), 7));
      void writeRecord(store, checkpointId, {
        ...emptyCheckpoint,
        seq: { pets: 0, entries: 7 },
      });
      return null;
    });
    expect(await runAt(1_000)).toBe(3_000);
    expect(await runAt(3_000)).toBeNull();
    expect(server.removals).toEqual(['a']);
    expect((await store.listRecords('remove-file')).size).toBe(0);
  });

  it('O6.2 stays if the document was fetched while the others were being read', async () => {
    const { store, name, runAt, server } = setUpRemovals();
    for (const file of ['a', 'b']) await name(file);
    vi.spyOn(store, 'listAll').mockImplementationOnce(async () => {
      store.put(clean(newEntry({ id: 'again', petId: 'p1', fields: { fileLocation: 'b' } }), 7));
      await writeRecord(store, checkpointId, { ...emptyCheckpoint, seq: { pets: 0, entries: 7 } });
      return [];
    });
    expect(await runAt(1_000)).toBe(3_000);
    expect(server.removals).toEqual([]);
    expect(await runAt(3_000)).toBeNull();
    expect(server.removals).toEqual(['a']);
  });

  it('O6.3 a sync that fetches nothing delays no removal', async () => {
    const { store, name, runAt, server } = setUpRemovals();
    for (const file of ['a', 'b']) await name(file);
    server.refuseRemoval(() => {
      void writeRecord(store, checkpointId, { ...emptyCheckpoint, syncedAtMs: 1_000 });
      return null;
    });
    expect(await runAt(1_000)).toBeNull();
    expect(server.removals).toEqual(['a', 'b']);
  });

  it('O6.2 stays if a job of this device brings it meanwhile, and holds up no other', async () => {
    const { store, outbox, name, read, run, server } = setUpRemovals();
    const recording = 'pets/p1/audios/voice-note-1700000000000.webm';
    for (const file of ['a', recording, 'z']) await name(file);
    const ledger = await read();
    const audio = { entryId: 'again', petId: 'p1', contentType: 'audio/webm' };
    await outbox.voiceNotes.sendAgain({ ...audio, objectName: recording }, bytesOf('b'));
    await run(ledger);
    expect(server.removals).toEqual(['a', 'z']);
    expect([...(await store.listRecords('remove-file')).values()]).toMatchObject([
      { objectName: recording },
    ]);
  });
});
