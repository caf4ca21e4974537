import { createStore } from 'jotai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cell } from '../../../../tests/support/fakes/cell.ts';
import { settlePromises } from '../../../../tests/support/fakes/fake-clock.ts';
import { fakeSoundOutput } from '../../../../tests/support/fakes/fake-sound.ts';
import { owner } from '../../../../tests/support/setups/open-app.tsx';
import { CommandError } from '../../../data/commands/commands.ts';
import { authStateAtom } from '../../../platform/auth/session.ts';
import { soundOutputAtom } from '../../../platform/media/sound-output.ts';
import { keepSilent, nextRate, voicePlayerOf, type Playable } from './voice-player.ts';

function setUp() {
  const speaker = fakeSoundOutput();
  const store = createStore();
  const setUser = (user: typeof owner | null) =>
    store.set(authStateAtom, (state) => ({ ...state, user }));
  setUser(owner);
  store.set(soundOutputAtom, speaker);
  const player = voicePlayerOf(store);
  const playable = (id: string, part: Partial<Playable> = {}): Playable => ({
    id,
    title: 'Voice note',
    durationMs: 4_000,
    open: async () => ({
      bytes: new Uint8Array(new TextEncoder().encode(id)).buffer,
      contentType: 'audio/webm',
    }),
    ...part,
  });
  const reaches = (phase: string) =>
    vi.waitFor(() => expect(player.getSnapshot().phase).toBe(phase));
  return { ...speaker, store, setUser, player, playable, reaches };
}

describe('the player of voice notes', () => {
  it('plays, rests, goes on, and is at the beginning again when it has ended', async () => {
    const { output, player, playable, reaches, ended, moved } = setUp();
    const one = playable('one');
    player.toggle(one);
    expect(player.getSnapshot()).toMatchObject({ id: 'one', phase: 'loading' });
    await reaches('playing');
    output.positionMs = 1_500;
    moved();
    expect(player.getSnapshot()).toMatchObject({ positionMs: 1_500, durationMs: 4_000 });
    player.toggle(one);
    expect(player.getSnapshot().phase).toBe('paused');
    player.toggle(one);
    await reaches('playing');
    output.isPlaying = false;
    ended();
    expect(player.getSnapshot()).toMatchObject({ phase: 'paused', positionMs: 0 });
    player.toggle(one);
    await reaches('playing');
  });

  it('plays one at a time', async () => {
    const { output, player, playable, reaches } = setUp();
    player.toggle(playable('one'));
    await reaches('playing');
    player.toggle(playable('two'));
    expect(output.isPlaying).toBe(false);
    expect(player.getSnapshot()).toMatchObject({ id: 'two', phase: 'loading' });
    await reaches('playing');
    expect(output.loaded).toBe('two');
  });

  it('ignores a recording that loads after a newer request', async () => {
    const { output, player, playable, reaches } = setUp();
    let come: () => void = () => undefined;
    const late = playable('late', {
      open: () =>
        new Promise((resolve) => {
          come = () => resolve({ bytes: new ArrayBuffer(1), contentType: 'audio/webm' });
        }),
    });
    player.toggle(late);
    player.toggle(playable('two'));
    await reaches('playing');
    come();
    await Promise.resolve();
    expect(output.loaded).toBe('two');
    expect(player.getSnapshot().id).toBe('two');
  });

  it('gives up a recording that does not load, when asked', async () => {
    const { player, playable, reaches } = setUp();
    const stuck = playable('stuck', { open: () => new Promise(() => undefined) });
    player.toggle(stuck);
    expect(player.getSnapshot()).toMatchObject({ id: 'stuck', phase: 'loading' });
    player.toggle(stuck);
    expect(player.getSnapshot()).toMatchObject({ id: null, phase: 'idle', problem: null });
    player.toggle(playable('stuck'));
    await reaches('playing');
  });

  it('seeks within its length, even before loading, and keeps its rate', async () => {
    const { output, player, playable, reaches } = setUp();
    const one = playable('one');
    player.setRate(1.5);
    player.seek(one, 2_000);
    await reaches('playing');
    expect(output).toMatchObject({ positionMs: 2_000, rate: 1.5 });
    player.seek(one, 9_000);
    expect(player.getSnapshot().positionMs).toBe(4_000);
    player.seek(one, -1);
    expect(output.positionMs).toBe(0);
    expect([1, 1.5, 2].map(nextRate)).toEqual([1.5, 2, 1]);
  });

  it('begins at 0 if its owner steps back before it is loaded', async () => {
    const { player, playable, reaches } = setUp();
    player.seek(playable('one'), -1_000);
    expect(player.getSnapshot()).toMatchObject({ phase: 'loading', positionMs: 0 });
    await reaches('playing');
  });

  it('lets the media keys play nothing while another recording is loaded, and after that has failed', async () => {
    const handlers = new Map<string, unknown>();
    const mediaSession = {
      setActionHandler: (name: string, handler: unknown) => handlers.set(name, handler),
    };
    vi.stubGlobal('MediaMetadata', EventTarget);
    Object.defineProperty(navigator, 'mediaSession', { value: mediaSession, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(navigator, 'mediaSession'));
    const { output, player, playable, reaches, moved } = setUp();
    player.toggle(playable('one'));
    await reaches('playing');
    expect(handlers.get('play')).toBeInstanceOf(Function);
    const open = vi.fn<Playable['open']>(async () => {
      expect(handlers.get('play')).toBeNull();
      throw new CommandError('storage', 'Playing it needs a connection.');
    });
    player.toggle(playable('two', { open }));
    await reaches('idle');
    // An event of the recording before comes late.
    moved();
    expect(player.getSnapshot()).toMatchObject({ id: 'two', phase: 'idle' });
    expect(handlers.get('play')).toBeNull();
    expect(output.loaded).toBe('');
  });

  it('plays from where its owner has dragged it to while it was loaded', async () => {
    const { output, player, playable, reaches } = setUp();
    const one = playable('one');
    player.seek(one, 1_000);
    player.seek(one, 2_000);
    player.seek(one, 3_000);
    expect(player.getSnapshot()).toMatchObject({ phase: 'loading', positionMs: 3_000 });
    await reaches('playing');
    expect(output.positionMs).toBe(3_000);
  });

  it('learns an unknown length when the recording is loaded', async () => {
    const { player, playable, reaches } = setUp();
    player.toggle(playable('one', { durationMs: undefined }));
    await reaches('playing');
    expect(player.getSnapshot().durationMs).toBe(7_000);
  });

  it('is silent after a sign-out, and holds nothing of that owner', async () => {
    const { store, setUser, output, player, playable, reaches } = setUp();
    expect(voicePlayerOf(store)).toBe(player);
    player.toggle(playable('one'));
    await reaches('playing');
    setUser({ ...owner });
    expect(output.isPlaying).toBe(true);
    setUser(null);
    expect(output).toMatchObject({ isPlaying: false, loaded: '' });
    expect(player.getSnapshot()).toMatchObject({ id: null, phase: 'idle', positionMs: 0 });
    setUser(owner);
    const opened = vi.fn<() => void>();
    player.toggle(
      playable('two', {
        open: async () => {
          setUser(null);
          opened();
          return playable('two').open();
        },
      }),
    );
    await vi.waitFor(() => expect(opened).toHaveBeenCalledOnce());
    await settlePromises();
    expect(output).toMatchObject({ isPlaying: false, loaded: '' });
    expect(player.getSnapshot().id).toBeNull();
  });

  it('falls silent when the document of the recording is deleted, and not by that of the one before', async () => {
    const { output, player, playable, reaches } = setUp();
    const [one, two] = [cell<object | null>({}), cell<object | null>({})];
    player.toggle(playable('one', { source: one }));
    await reaches('playing');
    player.toggle(playable('two', { source: two }));
    await vi.waitFor(() => expect(output.loaded).toBe('two'));
    await reaches('playing');
    one.set(null);
    two.set({});
    expect(output).toMatchObject({ isPlaying: true, loaded: 'two' });
    two.set(null);
    expect(output).toMatchObject({ isPlaying: false, loaded: '' });
  });

  it('falls silent when the document is deleted after the data was opened anew', async () => {
    const { output, player, playable, reaches } = setUp();
    const [closed, reopened] = [cell<object | null>({}), cell<object | null>({})];
    player.toggle(playable('one', { source: closed }));
    await reaches('playing');
    player.watch({ id: 'one', source: reopened });
    player.watch({ id: 'two', source: cell(null) });
    closed.set(null);
    expect(output.isPlaying).toBe(true);
    reopened.set(null);
    expect(output).toMatchObject({ isPlaying: false, loaded: '' });
  });

  it('plays nothing while it is kept silent', async () => {
    const { output, store, player, playable, reaches } = setUp();
    player.toggle(playable('one'));
    await reaches('playing');
    const letPlay = keepSilent(store);
    expect(output.isPlaying).toBe(false);
    player.toggle(playable('one'));
    await settlePromises();
    expect(player.getSnapshot()).toMatchObject({ id: null, phase: 'idle' });
    letPlay();
    player.toggle(playable('one'));
    await reaches('playing');
  });

  it.each(['NotAllowedError', 'AbortError'])(
    'rests if the browser wants another tap before it plays: %s',
    async (name) => {
      const { play, player, playable, reaches } = setUp();
      play.mockRejectedValueOnce(new DOMException('not now', name));
      player.toggle(playable('one'));
      await reaches('paused');
      await vi.waitFor(() => expect(play).toHaveBeenCalledOnce());
      expect(player.getSnapshot()).toMatchObject({ phase: 'paused', problem: null });
      player.toggle(playable('one'));
      await reaches('playing');
    },
  );

  it('takes a length of 0 for unknown, as some clients store it', async () => {
    const { player, playable, reaches } = setUp();
    player.toggle(playable('one', { durationMs: 0 }));
    await reaches('playing');
    expect(player.getSnapshot().durationMs).toBe(7_000);
  });

  it('says why something cannot be heard, and tries again when asked', async () => {
    const { output, player, playable, reaches } = setUp();
    const open = vi.fn<Playable['open']>();
    open.mockRejectedValue(new CommandError('storage', 'Playing it needs a connection.'));
    player.toggle(playable('one', { open }));
    await reaches('idle');
    expect(player.getSnapshot().problem).toBe('Playing it needs a connection.');
    output.canPlay = false;
    player.toggle(playable('two'));
    await vi.waitFor(() =>
      expect(player.getSnapshot().problem).toBe('This device cannot play this recording.'),
    );
    output.canPlay = true;
    player.toggle(playable('two'));
    await reaches('playing');
    expect(player.getSnapshot().problem).toBeNull();
  });
});
