import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installByApt } from './apt.mjs';

/** What the voice tests speak, decode and hear with, and the packages of Debian that have it. */
const commands = ['espeak-ng', 'ffmpeg', 'pocketsphinx_continuous'];
const packages = ['espeak-ng', 'ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us'];

function missingCommands() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return commands.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

/** Finds them or installs them. @returns {string | null} one sentence about what is missing. */
export function ensureSpeechTools() {
  if (missingCommands().length > 0) installByApt(packages, 'the voice tests');
  const missing = missingCommands();
  if (missing.length === 0) return null;
  return `The voice tests need ${missing.join(', ')}: on Debian, apt-get install ${packages.join(' ')}.`;
}
