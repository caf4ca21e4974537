import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installByApt } from './apt.mjs';

/** The browsers that are tested besides Chromium, as packaged by Debian. */
const engines = {
  firefox: { commands: ['firefox-esr'], packages: ['firefox-esr'] },
  webkit: {
    commands: ['WebKitWebDriver', 'Xvfb', 'dbus-run-session'],
    packages: [
      'webkit2gtk-driver',
      'xvfb',
      'dbus',
      'python3-gi',
      'gir1.2-webkit2-4.1',
      'gir1.2-gtk-3.0',
      'gstreamer1.0-plugins-base',
      'gstreamer1.0-plugins-good',
      'gstreamer1.0-plugins-bad',
      'gstreamer1.0-libav',
    ],
  },
};

export const engineNames = Object.keys(engines);

const isThere = (command) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, command)));

const lacks = (name) => !engines[name].commands.every(isThere);

const sentence = (name) =>
  `The tests of ${name} need packages of Debian: apt-get install ${engines[name].packages.join(' ')}.`;

/** Finds or installs the engines. @returns {Record<string, string>} a message for each that is missing. */
export function ensureEngines(names = engineNames) {
  const wanted = names.filter(lacks).flatMap((name) => engines[name].packages);
  if (wanted.length > 0) installByApt(wanted, 'the tests of other engines');
  return Object.fromEntries(names.filter(lacks).map((name) => [name, sentence(name)]));
}
