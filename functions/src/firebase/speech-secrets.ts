import { defineSecret } from 'firebase-functions/params';

/**
 * Returns the secrets of the speech engine. Only OpenAI's API has a key. A secret that is named here must have a value
 * in the project, so an engine without a key names none.
 */
export const speechSecrets = (env: NodeJS.ProcessEnv): ReturnType<typeof defineSecret>[] =>
  env['PAWPALS_SPEECH_ENGINE'] === 'openai' ? [defineSecret('PAWPALS_SPEECH_KEY')] : [];
