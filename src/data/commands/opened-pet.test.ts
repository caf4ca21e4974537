import { describe, expect, it } from 'vitest';
import type { PetChanges } from '../../../schemas/forms/pet-edit.ts';
import { change, clean, setUpData } from '../../../tests/support/setups/data-setup.ts';

describe('a dog that was changed elsewhere while its form was open', () => {
  const opened = { name: 'Bramble', breed: '', dob: '', description: 'Likes water' };

  /** Returns a dog whose form was opened and which was then changed here, before the form was saved. */
  async function setUpOpened(changes: PetChanges) {
    const data = await setUpData();
    const petId = await data.commands.createPet({ name: 'Bramble' });
    const ref = { collection: 'pets', id: petId } as const;
    await data.commands.updatePet(petId, { description: 'Likes water', breed: 'Vizsla' });
    await data.commands.updatePet(petId, changes);
    const stored = async () => (await data.store.get('pets', [petId])).get(petId)?.document;
    const versions = async () => [...(await data.store.listRecords('conflict-version')).values()];
    return { ...data, petId, ref, stored, versions };
  }

  it.each([
    ['another tab', 'local', false],
    ['another device', 'server', true],
  ] as const)('D5.14 keeps a text of %s that it replaces', async (_, side, isPulled) => {
    const { commands, store, petId, ref, stored, versions } = await setUpOpened({
      description: 'Afraid of cows',
    });
    if (isPulled) {
      await change(store, ref, clean(7));
      await commands.updatePet(petId, { dob: '2020-02-29' });
    }
    const stamp = (await stored())?.edits['description'];
    await commands.updatePet(petId, { description: 'Likes mud' }, opened);
    expect((await stored())?.fields).toMatchObject({ description: 'Likes mud' });
    expect(await versions()).toMatchObject([
      { collection: 'pets', documentId: petId, petId: null, reason: 'other-edit', side },
    ]);
    const [version] = await versions();
    expect(version?.fields).toEqual({ description: 'Afraid of cows' });
    expect(version?.edits).toEqual({ description: stamp });
  });

  it('D5.14 keeps that a field was cleared, like a merge', async () => {
    const { commands, petId, versions } = await setUpOpened({ description: null });
    await commands.updatePet(petId, { description: 'Likes mud' }, opened);
    const [version] = await versions();
    expect(version?.fields).toEqual({});
    expect(Object.keys(version?.edits ?? {})).toEqual(['description']);
  });

  it.each([
    ['the same text', { description: 'Likes mud' }],
    ['a field that the form leaves alone', { name: 'Bram', breed: 'Pointer' }],
  ])('D5.14 keeps no version of %s', async (_, changes) => {
    const { commands, petId, versions } = await setUpOpened(changes);
    await commands.updatePet(petId, { description: 'Likes mud' }, opened);
    expect(await versions()).toHaveLength(0);
  });

  it('D5.14 keeps no version of a text that the form showed with other line ends', async () => {
    const { commands, store, petId, ref, versions } = await setUpOpened({});
    const description = 'Likes\r\nwater';
    await change(store, ref, (pet) => ({ ...pet, fields: { ...pet.fields, description } }));
    const shown = { ...opened, description: 'Likes\nwater' };
    await commands.updatePet(petId, { description: 'Likes mud' }, shown);
    expect(await versions()).toHaveLength(0);
  });

  it('D5.14 D5.13 gives a kept text back in exchange for the one that replaced it', async () => {
    const { commands, store, petId, stored, versions } = await setUpOpened({
      description: 'Afraid of cows',
    });
    await commands.updatePet(petId, { description: 'Likes mud' }, opened);
    const [id = ''] = (await store.listRecords('conflict-version')).keys();
    await commands.restoreConflictVersion(id);
    expect((await stored())?.fields['description']).toBe('Afraid of cows');
    expect((await versions()).map(({ fields }) => fields)).toEqual([{ description: 'Likes mud' }]);
  });
});
