export interface MediaControls {
  readonly play: () => void;
  readonly pause: () => void;
  /** Moves by milliseconds from the current position. */
  readonly move: (ms: number) => void;
  readonly seek: (ms: number) => void;
}

export interface MediaPosition {
  readonly positionMs: number;
  readonly durationMs: number;
  readonly rate: number;
  readonly isPlaying: boolean;
}

const stepMs = 5_000;

/** Lets the media keys of a keyboard, a headset and the lock screen control the player, where they exist. */
export function controlByMediaKeys(title: string, controls: MediaControls): void {
  const { mediaSession } = navigator;
  if (mediaSession === undefined || typeof MediaMetadata === 'undefined') return;
  mediaSession.metadata = new MediaMetadata({ title, artist: 'PawPals' });
  mediaSession.setActionHandler('play', controls.play);
  mediaSession.setActionHandler('pause', controls.pause);
  mediaSession.setActionHandler('seekbackward', () => controls.move(-stepMs));
  mediaSession.setActionHandler('seekforward', () => controls.move(stepMs));
  mediaSession.setActionHandler('seekto', ({ seekTime = 0 }) => controls.seek(seekTime * 1_000));
}

const actions = ['play', 'pause', 'seekbackward', 'seekforward', 'seekto'] as const;

/** Takes the title from the lock screen, and the keys from the player. */
export function releaseMediaKeys(): void {
  const { mediaSession } = navigator;
  if (mediaSession === undefined) return;
  mediaSession.metadata = null;
  mediaSession.playbackState = 'none';
  for (const action of actions) mediaSession.setActionHandler(action, null);
}

export function tellMediaKeys({ positionMs, durationMs, rate, isPlaying }: MediaPosition): void {
  const { mediaSession } = navigator;
  if (mediaSession === undefined) return;
  mediaSession.playbackState = isPlaying ? 'playing' : 'paused';
  const [position, duration] = [Math.min(positionMs, durationMs) / 1_000, durationMs / 1_000];
  if (duration > 0) mediaSession.setPositionState?.({ position, duration, playbackRate: rate });
}
