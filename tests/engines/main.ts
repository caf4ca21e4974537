import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyApp } from '../support/app-copy.ts';
import { startBackendProcess } from '../support/backend-process.ts';
import type { Engine } from './engine.ts';
import { createFirefox } from './firefox.ts';
import { openRelay } from './relay.ts';
import { createWalk, type Walk } from './walk.ts';

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly string[];
}

const results = new URL('../../test-results/engines/', import.meta.url).pathname;

async function walkThrough(engine: Engine, walk: Walk): Promise<Outcome> {
  let passed = 0;
  for (const { name, run } of walk.steps) {
    const startedMs = performance.now();
    try {
      await run();
    } catch (error) {
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      console.log(`FAIL ${engine.name}: ${name}\n     ${said}`);
      const shots = await walk.screenshots().catch(() => []);
      for (const [index, shot] of shots.entries()) {
        await writeFile(join(results, `${engine.name}-${String(index)}.png`), shot);
      }
      // A step goes on from where the one before it has left off.
      const skipped = walk.steps.length - passed - 1;
      return { passed, failed: 1, skipped, failures: [`${name}: ${said}`] };
    }
    passed += 1;
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
    console.log(`ok   ${engine.name}: ${name}, ${seconds} s`);
  }
  return { passed, failed: 0, skipped: 0, failures: [] };
}

async function main(): Promise<void> {
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const app = await copyApp();
  const backend = await startBackendProcess({ app: app.folder });
  const relay = await openRelay(backend.url);
  const engine = createFirefox('/usr/bin/firefox-esr');
  const walk = createWalk({ engine, relay, app });
  const outcome = await walkThrough(engine, walk);
  console.log(`${engine.name}: ${String(outcome.passed)} passed, ${String(outcome.failed)} failed`);
  await walk.dispose();
  await relay.cut();
  await backend.dispose();
  await app.dispose();
}

await main();
