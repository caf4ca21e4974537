import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { ComposerVoiceSlot } from './recorder/composer-voice-slot.tsx';

const entryPlayer = lazyPart(async () => (await import('./player/entry-player.tsx')).EntryPlayer);

/** What the journal shows of voice notes; their code comes when it is needed. */
export const journalVoice = { Composer: ComposerVoiceSlot, Player: entryPlayer.Component };
