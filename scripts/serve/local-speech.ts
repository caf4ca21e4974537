import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The small recognizer needs these commands on this machine. */
const commands = ['pocketsphinx_continuous', 'ffmpeg'];

export interface LocalSpeech {
  /** This engine is used unless the environment names another. */
  readonly engine: 'pocketsphinx' | 'none';
  /** A message for the person who starts the server; null if an engine was named. */
  readonly note: string | null;
}

const rough =
  'Voice notes get rough texts: pocketsphinx makes them. docs/speech.md names better engines.';
const none =
  'Voice notes get no texts: nothing on this machine makes them. docs/speech.md says how to get some.';

/** Finds the engine of this machine, so that voice notes get at least rough transcripts without a setting. */
export function findLocalSpeech(env: NodeJS.ProcessEnv): LocalSpeech {
  const isNamed = (env['PAWPALS_SPEECH_ENGINE'] ?? '').trim() !== '';
  const folders = (env['PATH'] ?? '').split(delimiter);
  const isThere = commands.every((name) =>
    folders.some((folder) => existsSync(join(folder, name))),
  );
  const engine = isThere ? 'pocketsphinx' : 'none';
  return { engine, note: isNamed ? null : isThere ? rough : none };
}
