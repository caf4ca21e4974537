import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyApp } from '../support/servers/app-copy.ts';

import type { Engine } from './engine.ts';
import { createFirefox } from './firefox.ts';
import { openRelay } from './relay.ts';
import { startServer } from './server.ts';
import { createNativeWalk } from './native-walk.ts';
import { createWalk, type Walk } from './walk.ts';
import { createWebKit } from './webkit.ts';

export interface EngineOutcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The message of each failed step. */
  readonly failures: readonly { readonly step: string; readonly error: Error }[];
}

export type EngineName = Engine['name'];

const openers: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  firefox: createFirefox,
  webkit: createWebKit,
};

const pictures = new URL('../../test-results/engines/', import.meta.url).pathname;

type Say = (line: string) => void;

/** Says where the open pages are and what they show, and keeps their pictures. */
async function keepTraces(name: EngineName, walk: Walk, say: Say): Promise<void> {
  await mkdir(pictures, { recursive: true });
  for (const [index, page] of walk.pages().entries()) {
    try {
      const shown = await page.evaluate(() => {
        const text = document.body.innerText.replace(/\s+/g, ' ').slice(0, 1_000);
        return `${location.href}, ${document.title}: ${text}`;
      });
      say(`     page ${String(index)}: ${shown}`);
      await writeFile(join(pictures, `${name}-${String(index)}.png`), await page.screenshot());
    } catch (error) {
      say(`     page ${String(index)}: ${String(error)}`);
    }
  }
}

/** A step goes on from where the one before it has left off, so the first that fails is the last that runs. */
async function takeSteps(name: EngineName, walk: Walk, say: Say): Promise<EngineOutcome> {
  let passed = 0;
  for (const { name: step, run } of walk.steps) {
    const startedMs = performance.now();
    try {
      await run();
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new Error(String(thrown));
      say(`FAIL ${name}: ${step}\n     ${error.message}`);
      await keepTraces(name, walk, say);
      const skipped = walk.steps.length - passed - 1;
      return { passed, failed: 1, skipped, failures: [{ step, error }] };
    }
    passed += 1;
    say(`ok   ${name}: ${step}, ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
  return { passed, failed: 0, skipped: 0, failures: [] };
}

async function take(name: EngineName, walk: Walk, say: Say): Promise<EngineOutcome> {
  try {
    return await takeSteps(name, walk, say);
  } finally {
    await walk.dispose();
  }
}

function sum(one: EngineOutcome, other: EngineOutcome): EngineOutcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    failures: [...one.failures, ...other.failures],
  };
}

/** Walks through the app in one engine, on a server, a relay and profiles of its own. */
export async function testEngine(name: EngineName, say: Say): Promise<EngineOutcome> {
  await rm(pictures, { recursive: true, force: true });
  const app = await copyApp();
  const backend = await startServer(app.folder);
  const relay = await openRelay(backend.url);
  const engine = await openers[name]();
  const stage = { engine, relay, app };
  try {
    const native = await take(name, createNativeWalk(stage), say);
    return sum(native, await take(name, createWalk(stage), say));
  } finally {
    await engine.close();
    await relay.cut();
    await backend.dispose();
    await app.dispose();
  }
}
