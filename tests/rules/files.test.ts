import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { fileMaxBytes, fileMetadataMaxCharacters } from '../../schemas/limits.ts';
import { deployedFiles } from '../support/built-app/deployed-files.ts';
import { createFiles, type Files } from '../support/servers/sdk-files.ts';
import { petData, useRulesWorld, type Outcome } from '../support/setups/rules-setup.ts';

const world = useRulesWorld();
let alice: Files;
let bob: Files;
let nobody: Files;

beforeAll(async () => {
  const { backend, seed, ...people } = world();
  alice = createFiles(people.alice, backend.port);
  bob = createFiles(people.bob, backend.port);
  nobody = createFiles(people.nobody, backend.port);
  const { uid } = people.alice;
  await seed('pets/rex', petData(uid, 'rex'));
  await seed('pets/old', { ownerId: uid, name: 'Old' });
  await seed('pets/nobodys', { name: 'Stray' });
  await seed('pets/gone', { ownerId: uid, deleted: true });
});

const picture = 'pets/rex/images/profile.webp';
const recording = 'pets/rex/audios/voice-note-1700000000000.webm';
const kinds = [
  [picture, 'image/webp'],
  [recording, 'audio/webm;codecs=opus'],
] as const;

describe('a file', () => {
  it.each(kinds)(
    '%s can be uploaded, replaced, described, read and deleted by its owner',
    async (path, type) => {
      for (const round of ['new', 'again']) {
        expect([round, await alice.upload(path, type)]).toEqual([round, 'allowed']);
        expect([round, await alice.describe(path, type)]).toEqual([round, 'allowed']);
      }
      expect(await alice.read(path)).toBe('allowed');
      expect(await alice.remove(path)).toBe('allowed');
    },
  );

  it.each(kinds)('%s is denied to everybody else', async (path, type) => {
    expect(await alice.upload(path, type)).toBe('allowed');
    for (const other of [bob, nobody]) {
      expect(await other.upload(path, type)).toBe('denied');
      expect(await other.describe(path, type)).toBe('denied');
      expect(await other.read(path)).toBe('denied');
      expect(await other.remove(path)).toBe('denied');
      expect(await other.upload(path.replace('.webm', '0.webm'), type)).toBe('denied');
    }
  });

  it('of a pet that an earlier client created is allowed too', async () => {
    expect(await alice.upload('pets/old/images/profile.png', 'image/png')).toBe('allowed');
  });

  it.each(['none', 'nobodys'])('needs a pet that has this owner: %s', async (petId) => {
    for (const [path, type] of kinds) {
      const elsewhere = path.replace('rex', petId);
      expect(await alice.upload(elsewhere, type)).toBe('denied');
      expect(await alice.read(elsewhere)).toBe('denied');
      expect(await alice.remove(elsewhere)).toBe('denied');
    }
  });

  it('of a deleted pet can be read and deleted, but not added', async () => {
    const { seed, alice: owner } = world();
    for (const [path, type] of kinds) {
      const left = path.replace('rex', 'leaving');
      await seed('pets/leaving', petData(owner.uid, 'leaving'));
      expect(await alice.upload(left, type)).toBe('allowed');
      await seed('pets/leaving', { ownerId: owner.uid, deleted: true });
      expect(await alice.upload(left, type)).toBe('denied');
      expect(await alice.describe(left, type)).toBe('denied');
      expect(await alice.read(left)).toBe('allowed');
      expect(await alice.remove(left)).toBe('allowed');
      expect(await alice.upload(path.replace('rex', 'gone'), type)).toBe('denied');
    }
  });
});

describe('names and types', () => {
  it.each<[string, string, Outcome]>([
    ['pets/rex/images/profile.jpg', 'image/jpeg', 'allowed'],
    ['pets/rex/images/profile.jpeg', 'image/jpeg', 'allowed'],
    ['pets/rex/images/profile.png', 'image/png', 'allowed'],
    ['pets/rex/images/profile.webp', 'image/svg+xml', 'denied'],
    ['pets/rex/images/profile.webp', 'text/html', 'denied'],
    ['pets/rex/images/profile.webp', 'audio/webm', 'denied'],
    ['pets/rex/images/profile.webp', '', 'denied'],
    ['pets/rex/images/profile.svg', 'image/png', 'denied'],
    ['pets/rex/images/profile.html', 'image/png', 'denied'],
    ['pets/rex/images/other.png', 'image/png', 'denied'],
    ['pets/rex/images/more/profile.png', 'image/png', 'denied'],
    ['pets/rex/profile.png', 'image/png', 'denied'],
    ['pets/rex/other/profile.png', 'image/png', 'denied'],
    ['profile.png', 'image/png', 'denied'],
    ['users/rex/images/profile.png', 'image/png', 'denied'],
    ['pets/rex/audios/voice-note-1.mp4', 'audio/mp4', 'allowed'],
    ['pets/rex/audios/voice-note-1.ogg', 'audio/ogg', 'allowed'],
    ['pets/rex/audios/voice-note-1.m4a', 'audio/x-m4a', 'allowed'],
    ['pets/rex/audios/voice-note-1.webm', 'audio/webm;codecs=opus', 'allowed'],
    // Browsers take the last type of a list.
    ['pets/rex/audios/voice-note-1.webm', 'audio/webm; , text/html', 'denied'],
    ['pets/rex/audios/voice-note-1.webm', 'video/webm', 'denied'],
    ['pets/rex/audios/voice-note-1.webm', 'text/html', 'denied'],
    ['pets/rex/audios/voice-note-1.webm', 'audio/', 'denied'],
    ['pets/rex/audios/voice-note-.webm', 'audio/webm', 'denied'],
    ['pets/rex/audios/voice-note-1', 'audio/webm', 'denied'],
    ['pets/rex/audios/voice-note-x.webm', 'audio/webm', 'denied'],
    ['pets/rex/audios/other-1.webm', 'audio/webm', 'denied'],
    ['pets/rex/audios/more/voice-note-1.webm', 'audio/webm', 'denied'],
    ['pets/rex/images/voice-note-1.webm', 'audio/webm', 'denied'],
    ['pets/rex/audios/profile.png', 'image/png', 'denied'],
  ])('%s as %s: %s', async (path, type, expected) => {
    expect(await alice.upload(path, type)).toBe(expected);
  });

  it('a description with a forbidden type is denied', async () => {
    for (const [path, type] of kinds) {
      expect(await alice.upload(path, type)).toBe('allowed');
      expect(await alice.describe(path, 'text/html')).toBe('denied');
    }
  });
});

describe('sizes', () => {
  it.each([
    [picture, 'image/webp', fileMaxBytes],
    [recording, 'audio/webm', fileMaxBytes],
  ] as const)(
    '%s as %s may have %i bytes, as the schemas say, and no more',
    async (path, type, max) => {
      expect(await alice.upload(path, type, max)).toBe('allowed');
      expect(await alice.upload(path, type, max + 1)).toBe('denied');
      expect(await alice.upload(path, type, 0)).toBe('allowed');
    },
  );

  it.each(kinds)(
    'the metadata of %s leave room for the mark of the clean-up',
    async (path, type) => {
      const custom = (size: number) => ({ ab: 'x'.repeat(size - 'ab'.length - 'c'.length), c: '' });
      const [most, more] = [fileMetadataMaxCharacters, fileMetadataMaxCharacters + 1];
      expect(await alice.uploadWith(path, type, custom(more))).toBe('denied');
      expect(await alice.uploadWith(path, type, custom(most))).toBe('allowed');
      expect(await alice.describe(path, type, custom(most))).toBe('allowed');
      expect(await alice.describe(path, type, custom(more))).toBe('denied');
      expect(await alice.remove(path)).toBe('allowed');
    },
  );

  it('the rules file contains these limits and no other', async () => {
    const source = await readFile(deployedFiles.storageRules, 'utf8');
    const numbers = [...source.replaceAll(/\/\/.*|'[^']*'/g, '').matchAll(/\d{2,}/g)].map(Number);
    expect(new Set(numbers)).toEqual(new Set([fileMaxBytes, fileMetadataMaxCharacters]));
  });
});

it.each(['', 'pets', 'pets/rex', 'pets/rex/images', 'pets/rex/audios'])(
  'nobody lists files: /%s',
  async (path) => {
    for (const person of [alice, bob, nobody]) expect(await person.list(path)).toBe('denied');
  },
);
