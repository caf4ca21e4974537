import { parseEnv } from 'node:util';
import { readText } from './read-file.ts';

export interface FunctionsSettings {
  /** The engine that transcribes voice notes. */
  readonly engine: string;
  /** The project's secrets that the functions get. */
  readonly secrets: readonly string[];
  readonly isAppCheckEnforced: boolean;
  /** Sentences about invalid settings. */
  readonly problems: readonly string[];
}

/** Reads `functions/.env`, which the Firebase CLI passes to the functions; it may be missing. */
export async function readFunctionsSettings(
  root: string,
  source: string,
): Promise<FunctionsSettings> {
  const file = `${source}/.env`;
  const env = parseEnv((await readText(root, file)) ?? '');
  const engine = env['PAWPALS_SPEECH_ENGINE'] ?? 'google';
  const appCheck = env['PAWPALS_APP_CHECK'];
  const problems = [
    'PAWPALS_SPEECH_KEY' in env &&
      `PAWPALS_SPEECH_KEY must not stand in ${file}; it is a secret of the project.`,
    engine === 'openai' &&
      (env['PAWPALS_SPEECH_URL'] ?? '') === '' &&
      `PAWPALS_SPEECH_ENGINE=openai needs PAWPALS_SPEECH_URL in ${file}.`,
    ['whisper', 'pocketsphinx'].includes(engine) &&
      `The engine ${engine} needs programs that no cloud function has.`,
    !['google', 'openai', 'none', 'whisper', 'pocketsphinx'].includes(engine) &&
      `PAWPALS_SPEECH_ENGINE in ${file} must be google, openai or none.`,
    appCheck !== undefined &&
      appCheck !== 'enforce' &&
      `PAWPALS_APP_CHECK in ${file} must be enforce, or not be there.`,
  ];
  return {
    engine,
    secrets: engine === 'openai' ? ['PAWPALS_SPEECH_KEY'] : [],
    isAppCheckEnforced: appCheck === 'enforce',
    problems: problems.filter((problem) => problem !== false),
  };
}
