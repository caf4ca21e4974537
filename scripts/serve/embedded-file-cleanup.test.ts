import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createManualClock } from '../../backend/tests/support/fakes/manual-clock.ts';
import { startTestBackend } from '../../tests/support/servers/backend-in-process.ts';
import { scheduleFileCleanup, type FileCleanupHost } from './embedded-file-cleanup.ts';

type ListQuery = Parameters<FileCleanupHost['storage']['list']>[0];

const dayMs = 24 * 60 * 60_000;
const picture = 'pets/rex/images/profile.jpg';

async function setUp() {
  const clock = createManualClock();
  const backend = await startTestBackend({ clock });
  onTestFinished(() => backend.dispose());
  const { firestore, storage } = backend.current();
  await firestore.commit([{ set: 'pets/rex', data: { ownerId: 'alice' } }]);
  const upload = (name: string) => storage.put(name, new Uint8Array([1]));
  await upload(picture);
  const isMarked = (name: string) => storage.get(name)?.settings.custom.has('unreferredSince');
  const failures: string[] = [];
  const onFailure = (message: string) => void failures.push(message);
  const options = { clock, onFailure };
  return { clock, host: { firestore, storage }, upload, isMarked, failures, options };
}

it('files are cleaned up after the start, and once a day from then on', async () => {
  const { clock, host, upload, isMarked, failures, options } = await setUp();
  onTestFinished(scheduleFileCleanup(host, options));
  expect(isMarked(picture)).toBe(false);
  await vi.waitFor(() => expect(isMarked(picture)).toBe(true));
  await upload('pets/rex/audios/voice-note-1.webm');
  clock.advance(dayMs);
  await vi.waitFor(() => expect(isMarked('pets/rex/audios/voice-note-1.webm')).toBe(true));
  clock.advance(6 * dayMs);
  await vi.waitFor(() => expect(host.storage.get(picture)).toBeNull());
  expect(failures).toEqual([]);
});

it('a run that fails is reported, and the next one does its work', async () => {
  const { clock, host, isMarked, failures, options } = await setUp();
  let runs = 0;
  const list = (query: ListQuery) => {
    runs += 1;
    if (runs === 1) throw new Error('no list');
    return host.storage.list(query);
  };
  const storage = { ...host.storage, list };
  onTestFinished(scheduleFileCleanup({ ...host, storage }, options));
  await vi.waitFor(() => expect(failures).toEqual(['The clean-up of files failed']));
  expect(isMarked(picture)).toBe(false);
  clock.advance(dayMs);
  await vi.waitFor(() => expect(isMarked(picture)).toBe(true));
});

it('a file that fails is reported by its name', async () => {
  const { host, failures, options } = await setUp();
  const updateUnchanged = () => Promise.reject(new Error('no change'));
  const storage = { ...host.storage, updateUnchanged };
  onTestFinished(scheduleFileCleanup({ ...host, storage }, options));
  const both = [`${picture} was not cleaned up`, 'The clean-up of files failed'];
  await vi.waitFor(() => expect(failures).toEqual(both));
});

it('nothing runs once it has ended', async () => {
  const { clock, host, options } = await setUp();
  let runs = 0;
  const list = (query: ListQuery) => {
    runs += 1;
    return host.storage.list(query);
  };
  scheduleFileCleanup({ ...host, storage: { ...host.storage, list } }, options)();
  await nextTurn();
  clock.advance(dayMs);
  await nextTurn();
  await nextTurn();
  expect(runs).toBe(0);
});

it('a run that is ended midway changes nothing more, and reports nothing', async () => {
  const { host, isMarked, failures, options } = await setUp();
  let isEnded = false;
  const firestore = {
    ...host.firestore,
    get: (path: string) => {
      end();
      isEnded = true;
      return host.firestore.get(path);
    },
  };
  const end = scheduleFileCleanup({ ...host, firestore }, options);
  await vi.waitFor(() => expect(isEnded).toBe(true));
  await nextTurn();
  expect(isMarked(picture)).toBe(false);
  expect(failures).toEqual([]);
});
