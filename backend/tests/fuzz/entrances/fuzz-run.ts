import { onTestFinished } from 'vitest';
import { createWire } from '../../support/clients/wire.ts';
import { rawClient } from '../../support/clients/raw-client.ts';
import { createRandom } from '../random.ts';
import { channelEntrance } from './channel-entrance.ts';
import { httpEntrance } from './http-entrance.ts';
import { createJournal } from '../supervised/journal.ts';
import type { Entrance, Lane, Step } from './lane.ts';
import { createNeighbour } from '../supervised/neighbour.ts';
import { queryEntrance } from './query-entrance.ts';
import { rulesEntrance } from './rules-entrance.ts';
import { storageEntrance } from './storage-entrance.ts';
import { startSupervised } from '../supervised/supervisor.ts';

interface Played {
  readonly entrance: Entrance;
  /** The number of clients that play it; an entrance that mostly waits has more. */
  readonly lanes: number;
}

const entrances = new Map<string, Played>([
  ['http', { entrance: httpEntrance, lanes: 8 }],
  ['channel', { entrance: channelEntrance, lanes: 3 }],
  ['rules', { entrance: rulesEntrance, lanes: 2 }],
  ['queries', { entrance: queryEntrance, lanes: 4 }],
  ['storage', { entrance: storageEntrance, lanes: 4 }],
]);

/** The network address of the first lane; the neighbour uses 127.0.0.1. */
const firstHost = 7 * 256;

export interface FuzzRun {
  readonly seconds: number;
  readonly seed: number;
  /** The names of the entrances to play; all by default. */
  readonly only?: readonly string[];
}

export interface FuzzOutcome {
  /** The failures, with the inputs that led to them; empty when there are none. */
  readonly failures: string;
  readonly summary: string;
  readonly inputs: number;
}

/** Plays all entrances against one server process at once, beside a neighbour that must not be affected. */
export async function runFuzz(
  dataDir: string,
  { seconds, seed, only }: FuzzRun,
): Promise<FuzzOutcome> {
  const supervised = await startSupervised(dataDir);
  const { port } = supervised;
  const journal = createJournal();
  const neighbour = await createNeighbour(port);
  const failures: string[] = [];
  let isOver = false;
  void supervised.failed.then(() => (isOver = true));

  /** Records a failure of the work, which ends the run. */
  const guard = async (name: string, work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      isOver = true;
      const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
      failures.push(`${name}: ${said}`);
    }
  };

  const names = only ?? [...entrances.keys()];
  // A lane has the same number, and so the same inputs, whichever other entrances are played.
  const lanes = [...entrances]
    .flatMap(([name, { entrance, lanes: count }]) =>
      Array.from({ length: count }, () => ({ name, entrance })),
    )
    .map((each, number) => ({ ...each, number }))
    .filter(({ name }) => names.includes(name));
  const open = async ({ name, entrance, number }: (typeof lanes)[number]) => {
    const host = firstHost + number;
    const wire = createWire(port, host);
    onTestFinished(() => wire.close());
    const { idToken: token } = await rawClient({ port }).signUp();
    const random = createRandom(seed * 1000 + number);
    const lane: Lane = {
      entrance: name,
      id: String(number),
      random,
      wire,
      port,
      host,
      token,
      journal,
    };
    return { name, step: entrance(lane) };
  };
  const opened = await Promise.all(lanes.map(open));

  const endMs = performance.now() + seconds * 1000;
  const mustStop = () => isOver || performance.now() > endMs;
  const play = async (step: Step): Promise<void> => {
    while (!mustStop()) await step();
  };
  /** Measures the heap after a third of the run, when everything that fills up only once is full. */
  const measure = async (): Promise<void> => {
    while (!mustStop() && performance.now() < endMs - (seconds * 1000 * 2) / 3) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await supervised.measureHeap();
  };
  await Promise.all([
    ...opened.map(({ name, step }) => guard(name, play(step))),
    guard('the neighbour', neighbour.run(mustStop)),
    measure(),
  ]);
  const led = journal.report();
  await supervised.finish();
  failures.push(...supervised.failures());
  return {
    failures: failures.length === 0 ? '' : `${failures.join('\n')}\n${led}`,
    inputs: journal.total(),
    summary: `${journal.counts()}; longest stall ${supervised.longestStallMs()} ms, heap ${supervised.heaps()}, neighbour ${neighbour.latencies.length} writes, slowest ${Math.max(0, ...neighbour.latencies).toFixed(0)} ms`,
  };
}
