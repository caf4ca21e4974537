import { describe, expect, it } from 'vitest';
import { createBackend, type SeedTarget } from '../../src/server.ts';
import { testPasswordCost, startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function seed({ accounts, firestore }: SeedTarget): Promise<void> {
  const { uid } = await accounts.createUser({
    email: 'Demo@Example.com',
    password: 'Demo-d0gs',
    displayName: 'Demo',
  });
  const dob = new Date(Date.UTC(2020, 1, 29));
  await firestore.commit([
    {
      set: 'pets/rex',
      data: { ownerId: uid, name: 'Rex', dob, tags: ['a', 1, null], map: { x: 0.5 } },
    },
    { set: 'organizations/vet', data: { tradingName: 'Vet', memberCount: 3 } },
  ]);
}

describe('the seed', () => {
  it('fills an empty folder before the server answers, and only an empty one', async () => {
    const dataDir = await tempFolder();
    const first = await startBackend({ dataDir, seed });
    expect(first.isEmpty()).toBe(false);
    expect(first.firestore.get('pets/rex')).toMatchObject({
      name: 'Rex',
      dob: new Date(Date.UTC(2020, 1, 29)),
      tags: ['a', 1, null],
      map: { x: 0.5 },
    });
    await first.firestore.commit([{ delete: 'pets/rex' }]);
    await first.stop();
    const second = await startBackend({ dataDir, seed });
    expect(second.firestore.get('pets/rex')).toBeNull();
    expect(second.firestore.get('organizations/vet')).toEqual({
      tradingName: 'Vet',
      memberCount: 3,
    });
  });

  it('is done again from the start when it did not complete', async () => {
    const dataDir = await tempFolder();
    const broken = async (target: SeedTarget) => {
      await seed(target);
      throw new Error('the power went');
    };
    const options = { dataDir, passwordCost: testPasswordCost };
    await expect(createBackend({ ...options, seed: broken })).rejects.toThrow('the power went');
    const backend = await startBackend({ dataDir, seed });
    expect(backend.firestore.get('organizations/vet')).toEqual({
      tradingName: 'Vet',
      memberCount: 3,
    });
  });

  it('without one the folder is empty', async () => {
    const backend = await startBackend();
    expect(backend.isEmpty()).toBe(true);
    await backend.accounts.createUser({ email: 'a@b.c', password: 'Secret-1' });
    expect(backend.isEmpty()).toBe(false);
  });
});
