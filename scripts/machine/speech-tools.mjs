import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installByApt } from './apt.mjs';

/** The commands by which the voice tests speak, decode and transcribe, and the Debian packages that contain them. */
const commands = ['espeak-ng', 'ffmpeg', 'pocketsphinx_continuous'];
const packages = ['espeak-ng', 'ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us'];

function missingCommands() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return commands.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

/** Installs the commands that are missing. @returns {string | null} a sentence about those that are still missing. */
export function ensureSpeechTools() {
  if (missingCommands().length > 0) installByApt(packages, 'the voice tests');
  const missing = missingCommands();
  if (missing.length === 0) return null;
  return `The voice tests need ${missing.join(', ')}: on Debian, apt-get install ${packages.join(' ')}.`;
}
