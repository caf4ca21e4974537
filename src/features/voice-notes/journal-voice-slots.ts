import { entryPlayer } from './player/entry-player.ts';
import { ComposerVoiceSlot } from './recorder/composer-voice-slot.tsx';

/** The components of voice notes in the journal. Their code loads when it is needed. */
export const journalVoice = { Composer: ComposerVoiceSlot, Player: entryPlayer.Component };
