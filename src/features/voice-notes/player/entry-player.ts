import { lazyPart } from '../../../lib/react/lazy-part.tsx';

/** The player of a voice note, whose code loads only for voice notes. */
export const entryPlayer = lazyPart(
  async () => (await import('./entry-player.lazy.tsx')).EntryPlayer,
);
