import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { ComposerVoiceSlot } from './recorder/composer-voice-slot.tsx';

const entryPlayer = lazyPart(
  async () => (await import('./player/entry-player.lazy.tsx')).EntryPlayer,
);

/** The components of voice notes in the journal. Their code loads when it is needed. */
export const journalVoice = { Composer: ComposerVoiceSlot, Player: entryPlayer.Component };
