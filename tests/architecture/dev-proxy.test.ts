import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfigFromFile } from 'vite';
import { expect, it } from 'vitest';
import { transcribePath } from '../../schemas/transcription.ts';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

/** Returns the first parts of the paths that a route of the backend names, as texts or in regular expressions. */
function pathsIn(source: string): string[] {
  const literals = source.replaceAll('\\', '').matchAll(/(?:['`]|\/\^)(\/[\w.]+\/)/g);
  return [...literals].map(([, path = '']) => path);
}

it('the development server passes on the paths of each route of the backend', async () => {
  const routes = filesUnder('backend/src/http').filter((path) => path.endsWith('-route.ts'));
  const sources = await Promise.all(routes.map((path) => readFile(join(root, path), 'utf8')));
  const paths = new Set([...sources.flatMap(pathsIn), transcribePath]);
  expect([...paths]).toEqual(
    expect.arrayContaining(['/v0/', '/v1/', '/__/', '/emulator/', '/securetoken.googleapis.com/']),
  );
  const file = join(root, 'vite.config.ts');
  const environment = { command: 'serve', mode: 'development' } as const;
  const loaded = await loadConfigFromFile(environment, file, root, 'silent', undefined, 'runner');
  const passedOn = Object.keys(loaded?.config.server?.proxy ?? {});
  const missing = [...paths].filter((path) => !passedOn.some((prefix) => path.startsWith(prefix)));
  expect(missing).toEqual([]);
});
