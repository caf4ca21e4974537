import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlainData } from '../../backend/src/firestore/values/plain-data.ts';
import { createBackend, type Backend } from '../../backend/src/server.ts';
import { entryFieldsSchema } from '../../schemas/documents/journal-entry.ts';
import { demoOwner, seedDemoOwner } from './demo-owner.ts';

const folder = import.meta.dirname;

let dataDir = '';
let backend: Backend;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pawpals-demo-'));
  backend = await createBackend({
    dataDir,
    passwordCost: 1_024,
    seed: (target) => seedDemoOwner(target, folder),
  });
});
afterAll(async () => {
  await backend.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const petOf = (id: string): PlainData => backend.firestore.get(`pets/${id}`) ?? {};

function textOf(data: PlainData, field: string): string {
  const value = data[field];
  return typeof value === 'string' ? value : '';
}

async function entries() {
  const query = { collection: 'journalEntries', isGroup: true, limit: 1_000 };
  return (await backend.firestore.find(query)).map(({ path, data }) => {
    const [, petId = '', , id = ''] = path.split('/');
    return { id, petId, data };
  });
}

const ofType = async (type: string) =>
  (await entries()).filter(({ data }) => data['type'] === type);

/** Returns the fields that a device stores after a pull. */
function fieldsOf({ data }: { readonly data: PlainData }): Record<string, string | number> {
  const fields = Object.entries(data).flatMap(([name, value]): [string, string | number][] => {
    if (value instanceof Date) return [[name, value.getTime()]];
    return typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [];
  });
  return Object.fromEntries(fields);
}

describe('the demo owner', () => {
  it('has three dogs, 120 notes, six spoken notes and three organizations', async () => {
    await expect(backend.accounts.createUser(demoOwner)).rejects.toThrow('EMAIL_EXISTS');
    const names = ['demo-bramble', 'demo-moss', 'demo-teal'].map((id) => petOf(id)['name']);
    expect(names).toEqual(['Bramble', 'Moss', 'Teal']);
    expect(await ofType('note')).toHaveLength(120);
    expect(await ofType('voice-note')).toHaveLength(6);
    expect(await backend.firestore.find({ collection: 'organizations', limit: 10 })).toHaveLength(
      3,
    );
  });

  it('has entries as a device stores them, none of them in the future', async () => {
    for (const entry of await entries()) {
      const fields = v.parse(entryFieldsSchema, fieldsOf(entry));
      expect(fields.createdDate).toBeLessThanOrEqual(Date.now());
      expect(fields.text).not.toBe('');
    }
  });

  it('has a number of the owner’s clock for each document, in the order of each journal', async () => {
    const all = await entries();
    const uid = textOf(petOf('demo-bramble'), 'ownerId');
    const numbers = all.map(({ data }) => Number(data['seq']));
    expect(new Set(numbers).size).toBe(all.length);
    expect(backend.firestore.get(`sync/${uid}`)).toMatchObject({ head: Math.max(...numbers) });
    const bySeq = all.toSorted((a, b) => Number(a.data['seq']) - Number(b.data['seq']));
    const dates = bySeq
      .filter(({ petId }) => petId === 'demo-moss')
      .map(({ data }) => Number(data['createdDate']));
    expect(dates).toEqual(dates.toSorted((a, b) => a - b));
  });

  it('has pictures of two dogs, known by their hash, and none of the youngest', async () => {
    for (const name of ['bramble', 'moss']) {
      const { profilePicturePath: path, profilePictureVersion: version } = petOf(`demo-${name}`);
      expect(path).toBe(`pets/demo-${name}/images/profile.jpg`);
      const bytes = await readFile(join(folder, `${name}.jpg`));
      expect(version).toBe(createHash('md5').update(bytes).digest('base64'));
      const stored = backend.storage.get(`pets/demo-${name}/images/profile.jpg`);
      expect(stored).toMatchObject({ settings: { contentType: 'image/jpeg' }, md5Hash: version });
    }
    expect(petOf('demo-teal')).not.toHaveProperty('profilePicturePath');
  });

  it('has the recordings of its spoken notes, with their words', async () => {
    for (const { petId, data } of await ofType('voice-note')) {
      const recordedMs = Number(data['createdDate']);
      const path = `pets/${petId}/audios/voice-note-${String(recordedMs)}.webm`;
      const contentType = 'audio/webm;codecs=opus';
      expect(data).toMatchObject({ transcript: 'done', fileLocation: path, contentType });
      expect(backend.storage.get(path)).toMatchObject({ settings: { contentType } });
    }
  });

  it('has dogs with days of birth that are days of the calendar, in the past', () => {
    for (const id of ['demo-bramble', 'demo-moss', 'demo-teal']) {
      const born = Number(petOf(id)['dob']);
      expect(born % (24 * 60 * 60 * 1_000)).toBe(0);
      expect(born).toBeLessThan(Date.now());
    }
  });
});
