import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { fakeSoundOutput } from '../../../tests/support/fakes/fake-sound.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { fileMaxBytes } from '../../../schemas/limits.ts';
import {
  sharedSoundMaxMs,
  type SharedFile,
  type SharedItem,
} from '../../../schemas/local/shared-item.ts';
import { CommandError } from '../../data/commands/commands.ts';
import type { VoiceFiles } from '../../data/files/voice-files.ts';
import { soundOutputAtom } from '../../platform/media/sound-output.ts';
import { readSoundFileAtom, type SoundFile } from '../../platform/media/sound-file.ts';
import { clockAtom } from '../../platform/system-clock.ts';

const aSound: SharedFile = {
  id: 'sound',
  name: 'call.ogg',
  contentType: 'audio/ogg',
  bytes: new ArrayBuffer(3),
};
const tooLarge: SharedFile = { ...aSound, id: 'large', name: 'day.wav', bytes: null };
const film: SharedFile = { ...tooLarge, id: 'film', name: 'day.mov', contentType: 'video/mp4' };

interface Shared extends Partial<SharedItem> {
  readonly read?: (bytes: ArrayBuffer) => Promise<SoundFile | null>;
  readonly importRecording?: VoiceFiles['importRecording'];
}

async function open({
  read = async () => ({ contentType: 'audio/ogg', durationMs: 2_000, waveform: '0f' }),
  importRecording = async () => undefined,
  ...part
}: Shared) {
  const data = fakeData({}, { voice: { importRecording } });
  data.pets.set([petRow('moss', 'Moss')]);
  data.files.shared.set('one', { id: 'one', createdAtMs: 7, texts: [], files: [], ...part });
  const app = openApp({ path: '/help', data });
  app.store.set(readSoundFileAtom, { read });
  app.goTo('/quick/share?share=one');
  return { ...app, data };
}

const keepButton = () => screen.findByRole('button', { name: 'Keep as a voice note' });

describe('a shared sound', () => {
  it.each([
    ['by the clock that dates notes', 99_000, 39_000],
    ['or now, if the clock was set back meanwhile', 200_000, 40_000],
  ])('becomes the voice note of its own id, at the time it was shared %s', async (...times) => {
    const [, createdAtMs, startedAtMs] = times;
    const importRecording = vi.fn<VoiceFiles['importRecording']>(async () => undefined);
    const app = await open({ files: [aSound], createdAtMs, importRecording });
    const { user, data, path, store } = app;
    store.set(clockAtom, createFakeClock(100_000));
    vi.spyOn(data, 'correctedNow').mockReturnValue(40_000);
    await user.click(await keepButton());
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
    expect(importRecording).toHaveBeenCalledExactlyOnceWith({
      id: 'sound',
      petId: 'moss',
      contentType: 'audio/ogg',
      bytes: aSound.bytes,
      durationMs: 2_000,
      waveform: '0f',
      startedAtMs,
    });
    expect(data.files.shared.size).toBe(0);
  });

  it('falls silent when it is discarded', async () => {
    const { user, store } = await open({ files: [aSound, tooLarge] });
    const { output, ...speaker } = fakeSoundOutput();
    store.set(soundOutputAtom, speaker);
    await user.click(await screen.findByRole('button', { name: 'Play' }));
    await screen.findByRole('button', { name: 'Pause' });
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    await waitFor(() => expect(output).toMatchObject({ isPlaying: false, loaded: '' }));
  });

  it('stays if it could not be stored, with a sentence', async () => {
    const importRecording = vi
      .fn<VoiceFiles['importRecording']>()
      .mockRejectedValue(new Error('full'));
    const { user, data } = await open({ files: [aSound], importRecording });
    await user.click(await keepButton());
    await screen.findByRole('alert');
    expect(data.files.shared.size).toBe(1);
  });

  const aType = 'audio/ogg';
  it.each([
    { measured: null, byteLength: 3, sentence: /This device cannot read this sound/ },
    {
      measured: { contentType: aType, durationMs: sharedSoundMaxMs + 1, waveform: '0f' },
      byteLength: 3,
      sentence: /longer than 2 minutes/,
    },
    {
      measured: { contentType: aType, durationMs: 2_000, waveform: '0f' },
      byteLength: fileMaxBytes + 1,
      sentence: /larger than 10 MB/,
    },
  ])(
    'that cannot become a voice note has a reason: $sentence',
    async ({ measured, byteLength, sentence }) => {
      const file = { ...aSound, bytes: new ArrayBuffer(byteLength) };
      const read = vi.fn<(bytes: ArrayBuffer) => Promise<SoundFile | null>>(async () => measured);
      await open({ files: [file], read });
      expect(await screen.findByText(sentence)).toBeDefined();
      // A phone has no memory to decode a very large one.
      expect(read).toHaveBeenCalledTimes(byteLength > fileMaxBytes ? 0 : 1);
      expect(screen.queryByRole('button', { name: 'Keep as a voice note' })).toBeNull();
    },
  );
});

describe('a shared text', () => {
  /** @returns a function that makes room again. */
  const full = (): (() => void) => {
    const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const makeRoom = (): void => setItem.mockRestore();
    onTestFinished(makeRoom);
    return makeRoom;
  };

  it('stays if the note box cannot keep it, with a sentence, until there is room', async () => {
    const makeRoom = full();
    const { user, data, path } = await open({ texts: ['Look'] });
    expect((await screen.findByRole('alert')).textContent).toContain('Free some space');
    expect(path()).toBe('/quick/share?share=one&pet=moss');
    expect(data.files.shared.get('one')?.texts).toEqual(['Look']);
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('alert');
    makeRoom();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
    expect(data.files.shared.size).toBe(0);
  });

  it('that cannot be read says so, and is read again when asked', async () => {
    const data = fakeData();
    data.pets.set([petRow('moss', 'Moss')]);
    const { shared, load } = data.files;
    shared.set('one', { id: 'one', createdAtMs: 7, texts: ['Look'], files: [] });
    vi.spyOn((await load()).shared, 'read').mockRejectedValueOnce(
      new CommandError('storage', 'This device could not read the file.'),
    );
    const { user, path } = openApp({ path: '/quick/share?share=one', data });
    expect((await screen.findByRole('alert')).textContent).toContain('could not read');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
  });

  it('stays beside a sound as well', async () => {
    full();
    const { user, data } = await open({ texts: ['Look'], files: [aSound] });
    await user.click(await screen.findByRole('button', { name: 'Put into the note box' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Free some space');
    expect(data.files.shared.get('one')?.texts).toEqual(['Look']);
  });
});

describe('several shared things', () => {
  it('are used one by one, each with a word and the focus kept', async () => {
    const { user, data, path } = await open({ texts: ['Look'], files: [aSound] });
    await user.click(await screen.findByRole('button', { name: 'Put into the note box' }));
    await screen.findByText('It is in the note box of the journal.');
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'What you shared' }));
    expect(data.files.shared.get('one')?.texts).toEqual([]);
    await user.click(await keepButton());
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
    expect(box.value).toBe('Look');
  });

  it('are all used when two are kept at the same time', async () => {
    const kept = new Map(['sound', 'other'].map((id) => [id, deferred<undefined>()]));
    const { user, data, path } = await open({
      files: [aSound, { ...aSound, id: 'other' }],
      importRecording: ({ id }) => kept.get(id)?.promise ?? Promise.reject(new Error(id)),
    });
    for (const button of await screen.findAllByRole('button', { name: 'Keep as a voice note' })) {
      await user.click(button);
    }
    act(() => {
      for (const { resolve } of kept.values()) resolve(undefined);
    });
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
    expect(data.files.shared.size).toBe(0);
  });

  it('show the reason for each rejected item, and are discarded after a confirmation', async () => {
    const { user, data, path } = await open({ files: [tooLarge, film] });
    await screen.findByText(/^This was not taken\. At most 10 files .* each of 64 MB at most\.$/);
    expect(screen.getByText(/neither a photo nor a sound/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(data.files.shared.size).toBe(1);
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
    expect(data.files.shared.size).toBe(0);
  });
});

describe('the question whose journal it is for', () => {
  async function ask(item: Partial<SharedItem>) {
    const data = fakeData();
    data.pets.set([petRow('moss', 'Moss'), petRow('fern', 'Fern')]);
    data.files.shared.set('one', { id: 'one', createdAtMs: 7, texts: [], files: [], ...item });
    const app = openApp({ path: '/quick/share?share=one', data });
    await screen.findByRole('button', { name: 'Fern' });
    return { ...app, data };
  }

  it.each([
    [{ texts: ['Vet visit', 'Bring the card'] }, /Bring the card/],
    [{ files: [aSound] }, /call\.ogg/],
  ])('of %j shows what was shared, and can discard it', async (item, shown) => {
    const app = await ask(item);
    expect(screen.getByText(shown)).toBeDefined();
    await app.user.click(screen.getByRole('button', { name: 'Discard' }));
    await app.user.click(screen.getByRole('button', { name: 'Really discard' }));
    await waitFor(() => expect(app.path()).toBe('/pets'));
    expect(app.data.files.shared.has('one')).toBe(false);
  });
});

describe('a shared item that does not exist', () => {
  it.each([
    ['/quick/share', /Nothing has arrived/],
    ['/quick/share?share=used', /not here any more/],
    ['/quick/share?share=none', /could not be stored on this device/],
  ])('%s says so, and leads to the dogs', async (path, sentence) => {
    openApp({ path });
    await screen.findByText(sentence);
    expect(screen.getByRole('link', { name: 'My Dogs' }).getAttribute('href')).toBe('/pets');
  });

  it('is not the one that waits: without an id the oldest is opened', async () => {
    const data = fakeData();
    data.pets.set([petRow('moss', 'Moss'), petRow('wren', 'Wren')]);
    for (const id of ['first', 'second']) {
      data.files.shared.set(id, { id, createdAtMs: 7, texts: [id], files: [] });
    }
    const { path } = openApp({ path: '/quick/share', data });
    await screen.findByText('first');
    expect(path()).toBe('/quick/share?share=first');
  });

  it('leads to its dog if it was used already', async () => {
    const data = fakeData();
    data.pets.set([petRow('moss', 'Moss')]);
    const { path } = openApp({ path: '/quick/share?share=used&pet=moss', data });
    await waitFor(() => expect(path()).toBe('/pets/moss/profile'));
  });
});
