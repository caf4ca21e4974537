import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** All sources of the builds, besides `.env` files and packages. */
const sources = [
  'app-manifest.ts',
  'backend/package.json',
  'backend/src',
  'functions/package.json',
  'functions/src',
  'index.html',
  'node_modules/.package-lock.json',
  'package.json',
  'public',
  'replication',
  'schemas',
  'scripts',
  'src',
  'store',
  'sw',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
];

const outputs = ['dist', '.cache/server'];

/** @returns a hash of the names and contents of these files, and of all files in these folders. */
function hashFiles(root, paths) {
  const hash = createHash('sha256');
  const add = (path) => {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  };
  const addFolder = (path) => {
    const entries = readdirSync(join(root, path), { withFileTypes: true });
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const inside = `${path}/${entry.name}`;
      if (entry.isDirectory()) addFolder(inside);
      else if (entry.isFile()) add(inside);
      // Editors mark unsaved files with a link that leads nowhere.
      else if (entry.isSymbolicLink())
        hash.update(`${inside}\0${readlinkSync(join(root, inside))}\0`);
    }
  };
  for (const path of paths) {
    if (!existsSync(join(root, path))) continue;
    try {
      addFolder(path);
    } catch (error) {
      if (error.code !== 'ENOTDIR') throw error;
      add(path);
    }
  }
  return hash.digest('hex');
}

const hashText = (text) => createHash('sha256').update(text).digest('hex');

/**
 * Records the inputs and outputs of a build, to skip one that would change nothing: sources, settings, Node and
 * packages are those of the last build, and so is every byte of its output.
 * @param {string} root the folder of the project
 * @param {NodeJS.ProcessEnv} env
 */
export function createBuildStamp(root, env) {
  const file = join(root, '.cache/build-stamp.json');
  const settings = Object.entries(env).filter(([name]) => /^VITE_|^NODE_ENV$/.test(name));
  const envFiles = readdirSync(root).filter((name) => name.startsWith('.env'));
  const inputs = hashText(
    [
      hashFiles(root, [...sources, ...envFiles.toSorted()]),
      JSON.stringify(settings.toSorted(([one], [other]) => (one < other ? -1 : 1))),
      process.version,
    ].join('\n'),
  );
  return {
    isCurrent() {
      if (!existsSync(file) || !outputs.every((path) => existsSync(join(root, path)))) return false;
      const expected = JSON.stringify({ inputs, outputs: hashFiles(root, outputs) });
      return readFileSync(file, 'utf8') === expected;
    },
    /** Called before a build, so that an interrupted build leaves no stamp. */
    remove: () => rmSync(file, { force: true }),
    /** Called after a build, with the hash of the sources from before it. */
    write() {
      mkdirSync(join(root, '.cache'), { recursive: true });
      writeFileSync(file, JSON.stringify({ inputs, outputs: hashFiles(root, outputs) }));
    },
  };
}
