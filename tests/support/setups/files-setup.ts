import 'fake-indexeddb/auto';
import { onTestFinished, vi } from 'vitest';
import { openOutbox } from '../../../store/files/open-outbox.ts';
import { createFiles, type FilesDeps } from '../../../src/data/files/outbox-files.ts';
import type { FetchedFile } from '../../../store/files/file-caches.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { createShareStore } from '../../../replication/shares/share-store.ts';
import { createFakeClock } from '../fakes/fake-clock.ts';
import { setUpData } from './data-setup.ts';
import { md5Of } from '../fakes/memory-remote-files.ts';
import { bytesOf, textOf } from './test-outbox.ts';

export function fetched(text: string): FetchedFile {
  const bytes = bytesOf(text);
  return { bytes, contentType: 'image/jpeg', md5: md5Of(bytes) };
}

/**
 * Opens an owner's files on the real outbox, with a pet, a server that the test controls, and object URLs that contain
 * their bytes.
 */
export async function setUpFiles(uid = 'owner') {
  const data = await setUpData({}, uid);
  const clock = createFakeClock();
  const outbox = openOutbox(data.database, { now: Date.now, newId });
  const heldIds = new Set<string>();
  const hear = vi.fn<FilesDeps['hear']>(async () => ({ text: 'went away', rough: false }));
  const drawWaveform = vi.fn<FilesDeps['drawWaveform']>(async () => '0f');
  const petId = await data.commands.createPet({ name: 'Bramble' });
  const server = new Map<string, FetchedFile>();
  const download = vi.fn<FilesDeps['download']>(async (path) => server.get(path) ?? null);
  const revoked: string[] = [];
  const online = new Set<(isOnline: boolean) => void>();
  const returns = new Set<() => void>();
  let urls = 0;
  const open = () =>
    createFiles({
      outbox,
      shares: createShareStore(uid, Date.now),
      collections: data.database,
      commands: data.commands,
      locks: {
        hold: async (id) => {
          if (heldIds.has(id)) return null;
          heldIds.add(id);
          return () => heldIds.delete(id);
        },
        held: async () => heldIds,
      },
      newId,
      now: Date.now,
      correctedNow: Date.now,
      hear,
      drawWaveform,
      download,
      toUrl: ({ bytes }) => {
        urls += 1;
        return `${String(urls)}:${textOf(bytes) ?? ''}`;
      },
      revokeUrl: (url) => revoked.push(url),
      onReadError: (error) => {
        throw error;
      },
      onWritten: data.onWritten,
      watchOnline: (onChange) => {
        online.add(onChange);
        return () => online.delete(onChange);
      },
      watchReturn: (onReturn) => {
        returns.add(onReturn);
        return () => returns.delete(onReturn);
      },
      after: (delayMs, run) => clock.after(delayMs, run),
    });
  const files = open();
  await files.ready;
  onTestFinished(() => files.close());
  return {
    uid,
    database: data.database,
    store: data.store,
    queries: data.queries,
    commands: data.commands,
    heldIds,
    hear,
    drawWaveform,
    clock,
    outbox,
    petId,
    server,
    download,
    revoked,
    onWritten: data.onWritten,
    files,
    /** Opens the files again, as the next session on the same device does. */
    reopen: () => ({ files: open() }),
    comeOnline: () => online.forEach((tell) => tell(true)),
    /** The owner returns to the page. */
    returnToPage: () => returns.forEach((tell) => tell()),
    watchers: () => online.size + returns.size,
  };
}
