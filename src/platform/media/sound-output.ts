import { atom } from 'jotai';

export interface Sound {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

export interface SoundEvents {
  /** It plays, rests, or has moved on. */
  readonly onChange: () => void;
  readonly onEnded: () => void;
}

/** One loudspeaker: what is loaded takes the place of what was. */
export interface SoundOutput {
  /** @throws if it is nothing that this device can play. */
  load(sound: Sound): Promise<void>;
  play(): Promise<void>;
  pause(): void;
  isPlaying(): boolean;
  positionMs(): number;
  /** Of what is loaded. */
  durationMs(): number;
  seek(ms: number): void;
  setRate(rate: number): void;
}

export type OpenSoundOutput = (events: SoundEvents) => SoundOutput;

/** Further than any recording: a browser that is asked to go there finds the end, and can seek from then on. */
const beyondEndS = 1e7;

function next(audio: HTMLAudioElement, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = new AbortController();
    const { signal } = abort;
    const end = (settle: () => void) => () => {
      abort.abort();
      settle();
    };
    audio.addEventListener(name, end(resolve), { signal });
    audio.addEventListener(
      'error',
      end(() => reject(new Error('This cannot be played'))),
      { signal },
    );
  });
}

/** One that is not found by then is done without: it plays all the same. */
const findEndMs = 3_000;

/**
 * A recorder writes no length, and nothing to seek by: Chromium then says that it has no end. Firefox then lets nothing be
 * sought, and the end is not found. A length written into the file alone does not help: Firefox then seeks to the end.
 */
async function findEnd(audio: HTMLAudioElement): Promise<void> {
  if (Number.isFinite(audio.duration) || audio.seekable.length === 0) return;
  const found = next(audio, 'durationchange');
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, findEndMs);
  });
  audio.currentTime = beyondEndS;
  await Promise.race([found, late]);
  audio.currentTime = 0;
}

const openSoundOutput: OpenSoundOutput = ({ onChange, onEnded }) => {
  const audio = new Audio();
  let url: string | null = null;
  let isLoading = false;
  for (const name of ['play', 'pause', 'timeupdate', 'seeked']) {
    audio.addEventListener(name, () => {
      if (!isLoading) onChange();
    });
  }
  audio.addEventListener('ended', () => {
    if (!isLoading) onEnded();
  });

  return {
    load: async ({ bytes, contentType }) => {
      audio.pause();
      if (url !== null) URL.revokeObjectURL(url);
      url = URL.createObjectURL(new Blob([bytes], { type: contentType }));
      isLoading = true;
      try {
        const loaded = next(audio, 'loadedmetadata');
        audio.src = url;
        await loaded;
        await findEnd(audio);
      } finally {
        isLoading = false;
      }
    },
    play: () => audio.play(),
    pause: () => audio.pause(),
    isPlaying: () => !audio.paused,
    positionMs: () => audio.currentTime * 1_000,
    durationMs: () => (Number.isFinite(audio.duration) ? audio.duration * 1_000 : 0),
    seek: (ms) => {
      audio.currentTime = ms / 1_000;
    },
    setRate: (rate) => {
      audio.playbackRate = rate;
    },
  };
};

/** That of the device; tests set one of their own. */
export const soundOutputAtom = atom<{ readonly open: OpenSoundOutput }>({ open: openSoundOutput });
