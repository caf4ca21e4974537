import { describe, expect, it } from 'vitest';
import { writeRecord } from '../../../store/change-documents.ts';
import { setUpData } from '../../../tests/support/setups/data-setup.ts';
import { derivedId } from '../../../store/derived-id.ts';
import { importTargets } from './import-targets.ts';

async function setUp() {
  const kit = await setUpData();
  const deps = { uid: 'owner', store: kit.store, owner: 'owner' };
  const petId = await kit.commands.createPet({ name: 'Bramble' });
  return { ...kit, deps, petId };
}

describe('the place of an imported dog', () => {
  it('is its own id, whether this device has it or not', async () => {
    const { deps, petId } = await setUp();
    const targets = await importTargets(deps, 'pets', [petId, 'other']);
    expect([...targets]).toEqual([
      [petId, { id: petId, state: 'known' }],
      ['other', { id: 'other', state: 'new' }],
    ]);
  });

  it('is another id after its deletion, the same at every call', async () => {
    const { commands, deps, petId } = await setUp();
    await commands.deletePet(petId);
    const target = { id: await derivedId(petId), state: 'returning' };
    for (let call = 0; call < 2; call += 1)
      expect((await importTargets(deps, 'pets', [petId])).get(petId)).toEqual(target);
  });

  it('is another id while its deletion is under way', async () => {
    const { deps, petId, store } = await setUp();
    await writeRecord(store, `delete-pet:${petId}`, { kind: 'delete-pet', petId });
    expect((await importTargets(deps, 'pets', [petId, 'other'])).get(petId)?.state).toBe(
      'returning',
    );
  });
});

describe('the place of an imported entry', () => {
  it('is its own id, another one after its deletion, and one more after the next', async () => {
    const { commands, deps, petId } = await setUp();
    const id = await commands.addNote({ petId, text: 'Ducks' });
    const target = async () => (await importTargets(deps, 'entries', [id])).get(id);
    expect(await target()).toEqual({ id, state: 'known' });
    await commands.deleteEntry(id);
    const second = await derivedId(id);
    expect(await target()).toEqual({ id: second, state: 'returning' });
    await commands.addNote({ id: second, petId, text: 'Ducks' });
    expect(await target()).toEqual({ id: second, state: 'known' });
    await commands.deleteEntry(second);
    expect(await target()).toEqual({ id: await derivedId(second), state: 'returning' });
  });

  it('is an id of its own for each account that the file came from', async () => {
    const { deps } = await setUp();
    const idFrom = async (owner: string): Promise<string | undefined> =>
      (await importTargets({ ...deps, owner }, 'entries', ['e1'])).get('e1')?.id;
    const ids = [await idFrom('owner'), await idFrom('one'), await idFrom('other')];
    expect(ids[0]).toBe('e1');
    expect(new Set(ids).size).toBe(3);
    expect(await idFrom('one')).toBe(ids[1]);
  });

  it.each(['', 'a/b', '__secret', 'ä', 'x'.repeat(129), '../up'])(
    'is never the id %j, which the server would not take as one',
    async (id) => {
      const { deps } = await setUp();
      const target = (await importTargets(deps, 'entries', [id])).get(id);
      expect(target?.state).toBe('new');
      expect(target?.id).toMatch(/^[0-9a-f]{20}$/);
    },
  );

  it('can be the longest plain id', async () => {
    const { deps } = await setUp();
    const id = 'x'.repeat(128);
    expect((await importTargets(deps, 'entries', [id])).get(id)).toEqual({ id, state: 'new' });
  });

  it('is none for no entry', async () => {
    const { deps } = await setUp();
    expect((await importTargets(deps, 'entries', [])).size).toBe(0);
  });
});
