import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { Comparison } from '../measurement.ts';
import { rivalNames, type RivalName } from '../page/rivals/rivals-page.ts';
import { scriptKilobytes } from '../sizes/app-build.ts';

/** Returns kilobytes, as a server sends it. */
async function sizeOfCode(name: RivalName, outDir: string): Promise<number> {
  const input = fileURLToPath(new URL(`code/${name}.ts`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir,
      target: 'es2022',
      modulePreload: { polyfill: false },
      rolldownOptions: { input, preserveEntrySignatures: 'strict' },
    },
  });
  const sizes = await scriptKilobytes(join(outDir, 'assets'));
  return [...sizes.values()].reduce((total, kilobytes) => total + kilobytes, 0);
}

/** Compares the code sizes. One round is enough, since every build has the same result. */
export async function compareCode(folder: string): Promise<Comparison[]> {
  const sizes = new Map<RivalName, number>();
  for (const name of rivalNames) sizes.set(name, await sizeOfCode(name, join(folder, name)));
  const ours = sizes.get('ours') ?? 0;
  const row = (id: RivalName, limitName: string): Comparison => ({
    kind: 'comparison',
    id: `code-${id}`,
    name: 'code to store and sync, gzip, without the bell',
    unit: 'kB',
    limitName,
    rounds: [{ ours, limit: sizes.get(id) ?? 0 }],
  });
  return [row('firestore', "Firestore's cache"), row('dexie', 'Dexie, which has no sync')];
}
