import { lazyPart } from '../../lib/lazy-part.tsx';
import { ComposerVoiceSlot } from './composer-voice-slot.tsx';

const entryPlayer = lazyPart(async () => (await import('./entry-player.tsx')).EntryPlayer);

/** What the journal shows of voice notes; their code comes when it is needed. */
export const journalVoice = { Composer: ComposerVoiceSlot, Player: entryPlayer.Component };
