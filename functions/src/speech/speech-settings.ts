import * as v from 'valibot';

/** The engine and its settings, all from the environment; docs/speech.md lists the names. */
const text = v.pipe(v.string(), v.trim(), v.minLength(1));

const settingsSchema = v.variant('engine', [
  v.object({ engine: v.literal('none') }),
  v.object({
    engine: v.literal('google'),
    projectId: text,
    model: v.exactOptional(text),
    location: v.exactOptional(text),
  }),
  v.object({
    engine: v.literal('openai'),
    url: v.pipe(text, v.url(), v.regex(/^https?:/)),
    apiKey: v.exactOptional(text),
    model: v.exactOptional(text),
  }),
  v.object({ engine: v.literal('whisper'), model: v.exactOptional(text) }),
  v.object({ engine: v.literal('pocketsphinx') }),
]);

export type SpeechSettings = v.InferOutput<typeof settingsSchema>;

/** Its message is a sentence for the person who starts the server. */
export class SpeechSettingsError extends Error {
  override readonly name = 'SpeechSettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {SpeechSettingsError} */
export function readSpeechSettings(
  env: Environment,
  defaultEngine: SpeechSettings['engine'],
): SpeechSettings {
  const named = Object.entries({
    engine: env['PAWPALS_SPEECH_ENGINE'],
    url: env['PAWPALS_SPEECH_URL'],
    apiKey: env['PAWPALS_SPEECH_KEY'],
    model: env['PAWPALS_SPEECH_MODEL'],
    location: env['PAWPALS_SPEECH_LOCATION'],
    projectId: env['GCLOUD_PROJECT'] ?? env['GOOGLE_CLOUD_PROJECT'],
  }).filter(([, value]) => value !== undefined && value.trim() !== '');
  const given = Object.fromEntries(named);
  const parsed = v.safeParse(settingsSchema, { engine: defaultEngine, ...given });
  if (parsed.success) return parsed.output;
  throw new SpeechSettingsError(sentences.get(given['engine'] ?? defaultEngine) ?? unknown);
}

const unknown = 'PAWPALS_SPEECH_ENGINE must be google, openai, whisper, pocketsphinx or none.';
const sentences = new Map([
  [
    'openai',
    'PAWPALS_SPEECH_ENGINE=openai needs PAWPALS_SPEECH_URL, such as http://localhost:8000.',
  ],
  ['google', 'PAWPALS_SPEECH_ENGINE=google needs GOOGLE_CLOUD_PROJECT.'],
]);
