import { atom } from 'jotai';
import { seekableWebm } from '../../lib/media/seekable-webm.ts';

export interface Sound {
  readonly bytes: ArrayBuffer;
  readonly contentType: string;
}

export interface SoundEvents {
  /** Called when it starts, pauses, or moves on. */
  readonly onChange: () => void;
  readonly onEnded: () => void;
}

/** One loudspeaker. A sound that is loaded replaces the one before. */
export interface SoundOutput {
  /** Loads a sound. @throws if this device cannot play it. */
  load(sound: Sound): Promise<void>;
  play(): Promise<void>;
  pause(): void;
  isPlaying(): boolean;
  positionMs(): number;
  /** The length of the loaded sound; 0 while it is unknown. */
  durationMs(): number;
  seek(ms: number): void;
  setRate(rate: number): void;
  /** Forgets the loaded sound. */
  unload(): void;
}

export type OpenSoundOutput = (events: SoundEvents) => SoundOutput;

/** A position after the end of any recording. A browser that seeks there finds the end, and can seek from then on. */
const beyondEndS = 1e7;

/** The time after which a sound is given up of which the browser says nothing, as some do of one that they cannot read. */
const answerMaxMs = 10_000;

function next(audio: HTMLAudioElement, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = new AbortController();
    const { signal } = abort;
    const end = (settle: () => void) => () => {
      abort.abort();
      settle();
    };
    audio.addEventListener(name, end(resolve), { signal });
    const fail = end(() => reject(new Error('This cannot be played')));
    audio.addEventListener('error', fail, { signal });
    setTimeout(fail, answerMaxMs);
  });
}

/** The time after which the search for the end is given up; the sound plays without it. */
const findEndMs = 3_000;

/** Makes a sound seekable whose length the browser does not know; {@link seekableWebm} has done so for most recordings. */
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

  const revoke = (): void => {
    if (url !== null) URL.revokeObjectURL(url);
    url = null;
  };

  return {
    load: async ({ bytes, contentType }) => {
      audio.pause();
      revoke();
      const parts = seekableWebm(bytes) ?? [bytes];
      url = URL.createObjectURL(new Blob(parts, { type: contentType }));
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
    unload: () => {
      revoke();
      audio.removeAttribute('src');
      audio.load();
    },
  };
};

/** The device's loudspeaker; tests set their own. */
export const soundOutputAtom = atom<{ readonly open: OpenSoundOutput }>({ open: openSoundOutput });
