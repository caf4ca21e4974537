import { defineSecret } from 'firebase-functions/params';

/**
 * The secrets of the speech engine. Only OpenAI's API takes a key; a secret that is named here must have a value in the
 * project, so an engine without a key names none.
 */
export const speechSecrets = (env: NodeJS.ProcessEnv): ReturnType<typeof defineSecret>[] =>
  env['PAWPALS_SPEECH_ENGINE'] === 'openai' ? [defineSecret('PAWPALS_SPEECH_KEY')] : [];
