import { atom, type createStore } from 'jotai';
import { commandErrorCopy } from '../../../data/commands/commands.ts';
import type { Live } from '../../../lib/async/live.ts';
import { createObservable, type Observed } from '../../../lib/async/observable.ts';
import {
  soundOutputAtom,
  type OpenSoundOutput,
  type Sound,
  type SoundOutput,
} from '../../../platform/media/sound-output.ts';
import { watchOwnerChange } from '../../../platform/auth/session.ts';
import {
  controlByMediaKeys,
  releaseMediaKeys,
  tellMediaKeys,
} from '../../../platform/media/media-session.ts';

export interface PlayerState {
  /** The id of the loaded recording; null before the first one. */
  readonly id: string | null;
  readonly phase: 'idle' | 'loading' | 'playing' | 'paused';
  readonly positionMs: number;
  /** The length; 0 while it is unknown. */
  readonly durationMs: number;
  readonly rate: number;
  /** The message about a recording that cannot be played. */
  readonly problem: string | null;
}

export interface Playable {
  readonly id: string;
  readonly title: string;
  /** The measured length; undefined if it was not measured. */
  readonly durationMs: number | undefined;
  /** See `Entry`; if undefined, the waveform is drawn flat. */
  readonly waveform?: string | undefined;
  readonly open: () => Promise<Sound>;
  /** Its document; null once that is deleted. Without one, the recording is gone when its player leaves the page. */
  readonly source?: Live<unknown> | undefined;
}

/** The one player of the whole app. Playing a recording replaces the one before. It stops when the recording is gone. */
export interface VoicePlayer extends Observed<PlayerState> {
  /** Plays the recording, pauses it if it plays, or gives up loading it. */
  readonly toggle: (what: Playable) => void;
  /** Moves to a position, and loads the recording if necessary. @param ms from the beginning. */
  readonly seek: (what: Playable, ms: number) => void;
  /** Watches the document of the recording in the owner's data, which may have been opened anew. */
  readonly watch: (what: Pick<Playable, 'id' | 'source'>) => void;
  readonly setRate: (rate: number) => void;
  /** Stops playing, and forgets the recording. */
  readonly unload: () => void;
}

const rates: readonly number[] = [1, 1.5, 2];

/** Returns the next rate, or the first one after the last. */
export function nextRate(rate: number): number {
  return rates[(rates.indexOf(rate) + 1) % rates.length] ?? 1;
}

/**
 * Whether the browser did not begin to play although it can: Safari wants a tap that is a moment old at most, and a pause
 * may come first.
 */
function isPostponed(error: unknown): boolean {
  return error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name);
}

const notPlayable = 'This device cannot play this recording.';

function createVoicePlayer(openOutput: OpenSoundOutput): VoicePlayer {
  const { getSnapshot, subscribe, set } = createObservable<PlayerState>({
    id: null,
    phase: 'idle',
    positionMs: 0,
    durationMs: 0,
    rate: 1,
    problem: null,
  });
  let output: SoundOutput | null = null;
  let current: Playable | null = null;
  let stopWatching: (() => void) | undefined;

  const show = (change: Partial<PlayerState>): void => {
    set({ ...getSnapshot(), ...change });
    if (current === null) return;
    const { positionMs, durationMs, rate, phase } = getSnapshot();
    tellMediaKeys({ positionMs, durationMs, rate, isPlaying: phase === 'playing' });
  };

  const follow = (): void => {
    const { phase } = getSnapshot();
    if (output === null || phase === 'loading' || phase === 'idle') return;
    show({ phase: output.isPlaying() ? 'playing' : 'paused', positionMs: output.positionMs() });
  };

  const opened = (): SoundOutput => {
    output ??= openOutput({
      onChange: follow,
      onEnded: () => {
        output?.seek(0);
        show({ phase: 'paused', positionMs: 0 });
      },
    });
    return output;
  };

  const setPosition = (ms: number): void => {
    const positionMs = Math.max(0, Math.min(getSnapshot().durationMs, ms));
    opened().seek(positionMs);
    show({ positionMs });
  };

  const resume = async (): Promise<void> => {
    const speaker = opened();
    speaker.setRate(getSnapshot().rate);
    await speaker.play();
    follow();
  };

  const watch = ({ source }: Pick<Playable, 'source'>): void => {
    stopWatching?.();
    stopWatching = source?.subscribe(() => source.getSnapshot() === null && unload());
  };

  const load = async (what: Playable, fromMs: number): Promise<void> => {
    output?.pause();
    // The keys and the output have the recording before.
    output?.unload();
    releaseMediaKeys();
    current = what;
    const { id, durationMs = 0 } = what;
    watch(what);
    show({ id, phase: 'loading', positionMs: fromMs, durationMs, problem: null });
    try {
      const sound = await what.open();
      if (current !== what) return;
      await opened()
        .load(sound)
        .catch(() => Promise.reject(new PlayError()));
      if (current !== what) return;
      controlByMediaKeys(what.title, {
        play: () => void resume().catch(() => undefined),
        pause: () => opened().pause(),
        move: (ms) => setPosition(getSnapshot().positionMs + ms),
        seek: setPosition,
      });
      show({ phase: 'paused', durationMs: durationMs > 0 ? durationMs : opened().durationMs() });
      // Its owner may have moved on while it was loaded.
      const { positionMs } = getSnapshot();
      if (positionMs > 0) setPosition(positionMs);
      await resume();
    } catch (error) {
      if (current !== what || isPostponed(error)) return;
      const problem = error instanceof PlayError ? notPlayable : commandErrorCopy(error);
      show({ phase: 'idle', problem });
    }
  };

  const unload = (): void => {
    stopWatching?.();
    current = null;
    output?.pause();
    output?.unload();
    show({ id: null, phase: 'idle', positionMs: 0, durationMs: 0, problem: null });
    releaseMediaKeys();
  };

  return {
    subscribe,
    getSnapshot,
    toggle: (what) => {
      const { id, phase } = getSnapshot();
      if (id !== what.id || phase === 'idle') void load(what, 0);
      else if (phase === 'playing') opened().pause();
      else if (phase === 'paused') void resume().catch(() => undefined);
      else unload();
    },
    seek: (what, ms) => {
      const { id, phase } = getSnapshot();
      if (id !== what.id || phase === 'idle') void load(what, Math.max(0, ms));
      else if (phase === 'loading') show({ positionMs: Math.max(0, ms) });
      else setPosition(ms);
    },
    watch: (what) => {
      if (getSnapshot().id === what.id) watch(what);
    },
    setRate: (rate) => {
      output?.setRate(rate);
      show({ rate });
    },
    unload,
  };
}

class PlayError extends Error {
  override readonly name = 'PlayError';
}

const playerAtom = atom<VoicePlayer | null>(null);

/** Returns the player of the page, which falls silent when the owner changes. */
export function voicePlayerOf(store: ReturnType<typeof createStore>): VoicePlayer {
  const known = store.get(playerAtom);
  if (known !== null) return known;
  const player = createVoicePlayer(store.get(soundOutputAtom).open);
  store.set(playerAtom, player);
  watchOwnerChange(store, player.unload);
  return player;
}

/** Stops the player of the page, whenever it begins to play. @returns a function that lets it play again. */
export function keepSilent(store: ReturnType<typeof createStore>): () => void {
  const player = voicePlayerOf(store);
  const stop = (): void => {
    if (player.getSnapshot().id !== null) player.unload();
  };
  stop();
  return player.subscribe(stop);
}
