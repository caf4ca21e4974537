import { describe, expect, it } from 'vitest';
import { deleteWrite, int, setWrite, str, writes } from '../../../tests/support/firestore-json.ts';
import { createMemoryStore } from '../../../tests/support/fakes/memory-store.ts';
import { aliceCaller, bobCaller, openTestDatabase } from '../../../tests/support/test-database.ts';
import type { Limits } from '../../limits/defaults.ts';
import { admin, type Caller } from '../../caller.ts';

const exhausted = expect.objectContaining({ status: 'RESOURCE_EXHAUSTED' });

async function open(limits: Partial<Limits>, store = createMemoryStore()) {
  const { database } = await openTestDatabase({ limits, store });
  const commit = (caller: Caller, ...json: unknown[]) => database.commit(caller, writes(...json));
  return { database, store, commit };
}

describe('the documents of an owner', () => {
  it('are refused above their number, with a sentence, and nobody else notices', async () => {
    const { commit } = await open({ maxDocumentsPerOwner: 2 });
    await commit(aliceCaller, setWrite('c/1', {}), setWrite('c/2', {}));
    await expect(commit(aliceCaller, setWrite('c/3', {}))).rejects.toThrow(
      expect.objectContaining({
        status: 'RESOURCE_EXHAUSTED',
        message: 'An owner can have at most 2 documents.',
      }),
    );
    await commit(bobCaller, setWrite('c/3', {}));
    await commit(null, setWrite('c/4', {}));
    await commit(admin, setWrite('c/5', {}), setWrite('c/6', {}), setWrite('c/7', {}));
    await commit(aliceCaller, setWrite('c/1', { n: int(1) }));
  });

  it('may be deleted and replaced, in one commit as well', async () => {
    const { commit } = await open({ maxDocumentsPerOwner: 1 });
    await commit(aliceCaller, setWrite('c/1', {}));
    await commit(aliceCaller, deleteWrite('c/1'), setWrite('c/2', {}));
    await commit(aliceCaller, deleteWrite('c/2'));
    await commit(aliceCaller, setWrite('c/3', {}));
    await expect(commit(aliceCaller, setWrite('c/4', {}))).rejects.toThrow(exhausted);
  });

  it('are refused above their bytes, whoever makes them larger', async () => {
    const { commit } = await open({ maxDocumentBytesPerOwner: 10_000 });
    const large = (length: number) => ({ s: str('x'.repeat(length)) });
    await commit(aliceCaller, setWrite('c/1', large(6000)));
    await expect(commit(aliceCaller, setWrite('c/2', large(6000)))).rejects.toThrow(exhausted);
    await expect(commit(bobCaller, setWrite('c/1', large(12_000)))).rejects.toThrow(exhausted);
    await commit(aliceCaller, setWrite('c/1', large(5000)));
    await commit(aliceCaller, setWrite('c/2', large(4000)));
    await commit(admin, setWrite('c/1', large(20_000)));
    await commit(aliceCaller, setWrite('c/1', large(19_000)));
    await expect(commit(aliceCaller, setWrite('c/3', {}))).rejects.toThrow(exhausted);
  });

  it('are counted over commits that are stored together, and over a restart', async () => {
    const { commit, store } = await open({ maxDocumentsPerOwner: 3 });
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((at) => commit(aliceCaller, setWrite(`c/${at}`, {}))),
    );
    expect(results.map((each) => each.status === 'fulfilled')).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    const again = await open({ maxDocumentsPerOwner: 3 }, store);
    await expect(again.commit(aliceCaller, setWrite('c/6', {}))).rejects.toThrow(exhausted);
    await again.commit(bobCaller, deleteWrite('c/1'));
    await again.commit(aliceCaller, setWrite('c/6', {}));
  });

  it('are not counted when their commit is refused', async () => {
    const { commit, store } = await open({ maxDocumentsPerOwner: 2 });
    const twice = { currentDocument: { exists: false } };
    await commit(aliceCaller, setWrite('c/1', {}));
    await expect(
      commit(aliceCaller, setWrite('c/2', {}), setWrite('c/1', {}, twice)),
    ).rejects.toThrow('already exists');
    store.fail();
    await expect(commit(aliceCaller, setWrite('c/2', {}))).rejects.toThrow('full');
    store.fail(false);
    await commit(aliceCaller, setWrite('c/2', {}));
    const counts = () => [...store.content.keys()].filter((key) => key.startsWith('fs/q/'));
    expect(counts()).toHaveLength(2);
    await commit(aliceCaller, deleteWrite('c/1'), deleteWrite('c/2'));
    expect(counts()).toEqual([]);
  });
});
