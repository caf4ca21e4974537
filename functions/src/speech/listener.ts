import type { AudioDecoder } from './audio-decoder.ts';
import { isSilent } from './pcm.ts';
import type { Audio, TranscriptionResult, SpeechEngine, SpeechHints } from './speech-engine.ts';

/** An engine with its preprocessing: audio in, words out. */
export interface Listener {
  readonly name: string;
  /** Like {@link SpeechEngine.transcribe}. */
  hear(
    audio: Omit<Audio, 'samples'>,
    hints: SpeechHints,
    signal: AbortSignal,
  ): Promise<TranscriptionResult>;
}

/**
 * Decodes once for every engine, if this machine can. Silence then never reaches an engine: some invent words for it,
 * and some cost money.
 */
export function createListener(engine: SpeechEngine, decoder: AudioDecoder): Listener {
  return {
    name: engine.name,
    async hear({ bytes, type }, hints, signal) {
      const decoded = await decoder.decode(bytes, type, signal);
      if (decoded.kind === 'unreadable') return { kind: 'refused', reason: 'unreadable' };
      if (decoded.kind === 'too-long') return { kind: 'too-large', reason: 'too-long' };
      const samples = decoded.kind === 'samples' ? decoded.samples : null;
      if (samples !== null && isSilent(samples)) return { kind: 'text', text: '' };
      const heard = await engine.transcribe({ bytes, type, samples }, hints, signal);
      return heard.kind === 'text' ? { ...heard, text: toOneLine(heard.text) } : heard;
    },
  };
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
