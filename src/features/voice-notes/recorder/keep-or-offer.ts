import { commandErrorCopy } from '../../../data/commands/commands.ts';
import type { VoiceFiles } from '../../../data/files/voice-files.ts';

/**
 * Keeps a recording as a voice note. If that fails, the journal offers it like an interrupted one. @returns why it
 * failed; null if it did not.
 */
export async function keepOrOffer(
  loadVoice: () => Promise<Pick<VoiceFiles, 'keep' | 'letGo'>>,
  ...recording: Parameters<VoiceFiles['keep']>
): Promise<string | null> {
  try {
    await (await loadVoice()).keep(...recording);
    return null;
  } catch (error) {
    const voice = await loadVoice().catch(() => null);
    voice?.letGo(recording[0]);
    return commandErrorCopy(error);
  }
}
