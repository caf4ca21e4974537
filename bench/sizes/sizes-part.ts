import { join } from 'node:path';
import { amount, type Amount, type Measurement } from '../measurement.ts';
import { startBackend } from '../run/backend-process.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { buildApp, measureFiles } from './app-build.ts';
import { scriptsOfFirstView } from './first-view.ts';

function size(id: string, name: string, kilobytes: number): Amount {
  return amount({ id, name, unit: 'kB' }, [kilobytes]);
}

function sumOf(sizes: ReadonlyMap<string, number>, wanted: (name: string) => boolean): number {
  const found = [...sizes].filter(([name]) => wanted(name));
  if (found.length === 0) throw new Error('A script that is measured is not in the build');
  return found.reduce((total, [, kilobytes]) => total + kilobytes, 0);
}

/** Measures the gzip sizes of the build, and of the part that a browser loads. */
export function benchSizes(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('sizes: building the app');
    const staticDir = join(folder, 'dist');
    await buildApp(staticDir);
    const { scripts, worker } = await measureFiles(staticDir);
    say('sizes: watching a returning owner');
    const backend = await startBackend({ dataDir: join(folder, 'data'), staticDir });
    try {
      const loaded = await scriptsOfFirstView(backend.url, join(folder, 'profile'));
      return [
        size(
          'first-view',
          `JavaScript of the first signed-in view (${loaded.size} files)`,
          sumOf(scripts, (name) => loaded.has(name)),
        ),
        size(
          'bell',
          'the bell, loaded when idle',
          sumOf(scripts, (name) => name.startsWith('bell-')),
        ),
        size(
          'page',
          'all JavaScript of the page',
          // No browser loads the native wrapper's chunk.
          sumOf(scripts, (name) => !name.startsWith('native-')),
        ),
        size('worker', 'the service worker', worker),
      ];
    } finally {
      await backend.stop();
    }
  });
}
