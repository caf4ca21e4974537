import { setTimeout as wait } from 'node:timers/promises';
import { startBackend, type Memory } from '../run/backend-process.ts';
import { say } from '../run/progress.ts';
import { startAttacker } from './attacker-process.ts';
import { openHousehold, type LoadRecord } from './household.ts';

export interface LoadPlan {
  readonly owners: number;
  readonly devices: number;
  readonly seconds: number;
  /** The interval of each owner's commits. */
  readonly everyMs: number;
  readonly hasAttacker: boolean;
}

export interface LoadResult extends LoadRecord {
  /** The server's memory after a tenth, a half and all of the time. */
  readonly memory: readonly Memory[];
}

/** Network addresses: 127.0.16.0 and up. */
const firstHost = 16 * 256;
const parts = [0.1, 0.5, 1];

/** The number of concurrent sign-ups, limited because password hashing is slow on purpose. */
const openedAtOnce = 4;

async function openAll<Item>(
  count: number,
  open: (index: number) => Promise<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let index = 0; index < count; index += openedAtOnce) {
    const indexes = Array.from(
      { length: Math.min(openedAtOnce, count - index) },
      (_, at) => index + at,
    );
    items.push(...(await Promise.all(indexes.map(open))));
  }
  return items;
}

/** Runs owners who write and listen at the same time, with or without an attacker. */
export async function runLoad(dataDir: string, plan: LoadPlan): Promise<LoadResult> {
  const { owners, devices, seconds, everyMs } = plan;
  const backend = await startBackend({ dataDir });
  const port = Number(new URL(backend.url).port);
  const record: LoadRecord = { latenciesMs: [], failed: 0, reopened: 0 };
  say(`load: ${owners} owners with ${devices} devices each sign up`);
  const households = await openAll(owners, (index) =>
    openHousehold({ port, devices, host: firstHost + index }, record),
  );
  const attacker = plan.hasAttacker ? await startAttacker(port) : undefined;
  say(`load: ${seconds} s ${plan.hasAttacker ? 'with' : 'without'} an attacker`);
  const endMs = performance.now() + seconds * 1_000;

  const live = async (index: number): Promise<void> => {
    await wait((everyMs * index) / owners);
    while (performance.now() < endMs) {
      const nextMs = performance.now() + everyMs;
      await households[index]?.commit();
      await wait(Math.max(0, Math.min(nextMs, endMs) - performance.now()));
    }
  };
  const memory: Memory[] = [];
  const watchMemory = async (): Promise<void> => {
    for (const part of parts) {
      await wait(Math.max(0, endMs - (1 - part) * seconds * 1_000 - performance.now()));
      memory.push(await backend.memory());
    }
  };
  try {
    await Promise.all([watchMemory(), ...households.map((_, index) => live(index))]);
  } finally {
    if (attacker !== undefined) say(`load: ${await attacker.stop()}`);
    await Promise.all(households.map((each) => each.close()));
    await backend.stop();
  }
  return { ...record, memory };
}
