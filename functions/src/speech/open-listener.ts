import { createFfmpegDecoder, type AudioDecoder } from './audio-decoder.ts';
import { createGoogleSpeech, type GoogleSpeechDeps } from './google-speech.ts';
import { createListener, type Listener } from './listener.ts';
import { createOpenAiSpeech } from './openai-speech.ts';
import { createPocketsphinxSpeech } from './pocketsphinx-speech.ts';
import type { SpeechEngine } from './speech-engine.ts';
import type { SpeechSettings } from './speech-settings.ts';
import { createWhisperSpeech } from './whisper-speech.ts';

export interface ListenerDeps {
  /** Called only if the engine is Google's. */
  readonly googleToken: GoogleSpeechDeps['accessToken'];
  readonly decoder?: AudioDecoder;
}

/** Returns the listener of the configured engine; null without an engine. */
export function openListener(settings: SpeechSettings, deps: ListenerDeps): Listener | null {
  const engine = openEngine(settings, deps);
  return engine && createListener(engine, deps.decoder ?? createFfmpegDecoder());
}

function openEngine(settings: SpeechSettings, { googleToken }: ListenerDeps): SpeechEngine | null {
  switch (settings.engine) {
    case 'none':
      return null;
    case 'google':
      return createGoogleSpeech({ accessToken: googleToken, ...settings });
    case 'openai':
      return createOpenAiSpeech(settings);
    case 'whisper':
      return createWhisperSpeech(settings);
    default:
      return createPocketsphinxSpeech();
  }
}
