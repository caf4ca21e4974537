import { describe, expect, it, vi } from 'vitest';
import { asDeleted, withEdit, type LocalDocument } from '../../schemas/documents/document.ts';
import { deviceRecordId } from '../../schemas/local/local-record.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { settlePromises } from '../../tests/support/fakes/fake-clock.ts';
import { newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld, type TestDevice } from '../../tests/support/setups/sync-setup.ts';
import { createSyncEngine, type SyncEngineDeps } from './sync-engine.ts';

function only(device: TestDevice, collection: 'pets' | 'entries'): LocalDocument {
  const [document] = device.store.documents(collection);
  if (!document) throw new Error('nothing there');
  return document;
}

describe('a run', () => {
  it('D1.4 brings a new pet and its entry to another device', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    expect(await phone.sync()).toMatchObject({ kind: 'none', problem: null, pushed: 2 });
    expect(await tablet.sync()).toMatchObject({ kind: 'none', problem: null, pushed: 0 });
    expect(only(tablet, 'entries')).toMatchObject({ pending: 0, seq: 2, base: null });
    expect(only(phone, 'entries')).toMatchObject({ pending: 0, seq: 2, base: null });
  });

  it('D1.4 goes on until the conflicts of its push are merged and pushed', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    let isFirst = true;
    const tablet = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: async (refs, decide) => {
          if (isFirst) {
            isFirst = false;
            phone.store.put(withEdit(only(phone, 'pets'), { breed: 'Vizsla' }, 2_000));
            await phone.sync();
          }
          return remote.transact(refs, decide);
        },
      }),
    });
    await tablet.sync();
    tablet.store.put(withEdit(only(tablet, 'pets'), { description: 'shy' }, 3_000));
    expect(await tablet.sync()).toMatchObject({ problem: null, pushed: 1 });
    await phone.sync();
    const fields = { name: 'Rex', breed: 'Vizsla', description: 'shy' };
    expect(only(phone, 'pets').fields).toEqual(fields);
    expect(only(tablet, 'pets')).toMatchObject({ fields, pending: 0 });
  });

  it('D1.4 deletes on every device, and keeps the edit that lost', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    await tablet.sync();
    phone.store.put(asDeleted(only(phone, 'pets')));
    tablet.store.put(withEdit(only(tablet, 'pets'), { name: 'Max' }, 3_000));
    await phone.sync();
    await tablet.sync();
    expect(only(tablet, 'pets')).toEqual(
      expect.objectContaining({ deleted: true, pending: 0, fields: {} }),
    );
    const versions = [...tablet.store.records().values()].filter(
      ({ kind }) => kind === 'conflict-version',
    );
    expect(versions).toMatchObject([{ fields: { name: 'Max' }, reason: 'deleted', side: 'local' }]);
  });

  it('D1.4 ends with a word when other devices never rest', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    let edits = 0;
    const rival = world.device();
    await rival.sync();
    const tablet = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        transact: async (refs, decide) => {
          edits += 1;
          rival.store.put(withEdit(only(rival, 'pets'), { name: `Rival ${String(edits)}` }, edits));
          await rival.sync();
          return remote.transact(refs, decide);
        },
      }),
    });
    await tablet.sync();
    tablet.store.put(withEdit(only(tablet, 'pets'), { breed: 'Vizsla' }, 3_000));
    expect(await tablet.sync()).toMatchObject({ kind: 'transient', problem: 'contention' });
    expect(only(tablet, 'pets')).toMatchObject({ pending: 1, fields: { breed: 'Vizsla' } });
  });

  it('D3.11 keeps versions at the time that earlier sessions have measured', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    const tablet = world.device();
    phone.store.put(newPet('p1'));
    await phone.sync();
    await tablet.sync();
    tablet.store.put(withEdit(only(tablet, 'pets'), { name: 'Max' }, 2_000));
    await tablet.sync();
    phone.store.put(withEdit(only(phone, 'pets'), { name: 'Moss' }, 1_500));
    const device = { kind: 'device', clockOffsetMs: 60_000 } as const;
    await writeRecord(phone.store, deviceRecordId, device);
    const later = world.device({ store: phone.store });
    await later.sync();
    const versions = [...(await phone.store.listRecords('conflict-version')).values()];
    expect(versions).toMatchObject([{ keptAtMs: world.time.nowMs + 60_000 }]);
  });

  it('D1.5 says defect, and nothing more, when the local database fails', async () => {
    const phone = createSyncWorld().device({
      wrapStore: (store) => ({
        ...store,
        listRecords: () => Promise.reject(new TypeError('broken')),
      }),
    });
    expect(await phone.sync()).toMatchObject({ kind: 'defect', problem: 'defect' });
  });

  it('D11.4 opens nothing when it is stopped before it begins', async () => {
    const openPorts = vi.fn<SyncEngineDeps['openPorts']>();
    const engine = createSyncEngine({
      openPorts,
      clock: { now: () => 1 },
      newId: () => 'id',
      log: () => undefined,
    });
    expect(await engine.run(AbortSignal.abort())).toMatchObject({ kind: 'stopped' });
    expect(openPorts).not.toHaveBeenCalled();
  });

  it('D11.4 ends at its next step when it is stopped, and writes nothing more', async () => {
    const world = createSyncWorld();
    const stop = new AbortController();
    let lateWrites = 0;
    const phone = world.device({
      wrapStore: (store) => ({
        ...store,
        commit: (writes) => {
          if (stop.signal.aborted) lateWrites += 1;
          return store.commit(writes);
        },
      }),
      wrapRemote: (remote) => ({
        ...remote,
        transact: async (refs, decide) => {
          const result = await remote.transact(refs, decide);
          stop.abort();
          return result;
        },
      }),
    });
    phone.store.put(newPet('p1'));
    const outcome = await phone.engine.run(stop.signal);
    expect(outcome).toMatchObject({ kind: 'stopped', problem: 'stopped' });
    expect(lateWrites).toBe(0);
    expect(only(phone, 'pets').pending).toBe(1);
    expect(await phone.sync()).toMatchObject({ problem: null });
    expect(only(phone, 'pets').pending).toBe(0);
  });

  it('D11.4 writes nothing more, wherever it is when its lock is lost', async () => {
    let isDone = false;
    for (let stopAt = 1; !isDone; stopAt += 1) {
      const world = createSyncWorld();
      const other = world.device();
      other.store.put(newPet('p1'));
      await other.sync();
      const stop = new AbortController();
      let steps = 0;
      let lateWrites = 0;
      const step = async <Result>(call: () => Promise<Result>, isWrite: boolean) => {
        if (stop.signal.aborted && isWrite) lateWrites += 1;
        const result = await call();
        steps += 1;
        if (steps === stopAt) stop.abort();
        return result;
      };
      const phone = world.device({
        wrapStore: (store) => ({
          ...store,
          get: (...args) => step(() => store.get(...args), false),
          commit: (writes) => step(() => store.commit(writes), true),
          readRecord: (...args) => step(() => store.readRecord(...args), false),
        }),
        wrapRemote: (remote) => ({
          ...remote,
          readHead: () => step(() => remote.readHead(), false),
          pull: (...args) => step(() => remote.pull(...args), false),
          transact: (...args) => step(() => remote.transact(...args), true),
        }),
      });
      phone.store.put(newPet('p2'));
      const { kind } = await phone.engine.run(stop.signal);
      isDone = steps < stopAt;
      expect(kind).toBe(isDone ? 'none' : 'stopped');
      expect(lateWrites).toBe(0);
    }
  });

  it('D11.4 does not wait for an answer when its lock is lost, lets the request go, and drops what comes', async () => {
    const world = createSyncWorld();
    const other = world.device();
    other.store.put(newPet('p1'));
    await other.sync();
    const stop = new AbortController();
    const answers: (() => void)[] = [];
    let abandoned = 0;
    const phone = world.device({
      wrapRemote: (remote) => ({
        ...remote,
        abandon: () => {
          abandoned += 1;
        },
        pull: async (...args) => {
          const page = await remote.pull(...args);
          await new Promise<void>((resolve) => answers.push(resolve));
          return page;
        },
      }),
    });
    const running = phone.engine.run(stop.signal);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    stop.abort();
    expect(await running).toMatchObject({ kind: 'stopped' });
    expect(abandoned).toBe(1);
    for (const answer of answers) answer();
    await settlePromises();
    expect(phone.store.documents('pets')).toEqual([]);
  });

  it('D11.4 does not begin when it is stopped already', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(newPet('p1'));
    expect(await phone.engine.run(AbortSignal.abort())).toMatchObject({ kind: 'stopped' });
    expect(world.server.snapshot().documents.size).toBe(0);
  });
});
