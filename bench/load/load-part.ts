import { join } from 'node:path';
import { amount, type Measurement } from '../measurement.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { runLoad, type LoadResult } from './load-run.ts';

const owners = 200;
const devices = 3;
/** The interval between an owner's commits by one of the devices: ten commits a second over all owners. */
const everyMs = 20_000;
const defaultSeconds = 600;
const percentiles = [50, 95, 99];

/** `PAWPALS_LOAD_SECONDS=60 npm run bench -- load` runs for a shorter time. */
const seconds = Number(process.env['PAWPALS_LOAD_SECONDS'] ?? defaultSeconds);

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))];
  if (value === undefined) throw new Error('Nothing was committed');
  return value;
}

function toMeasurements(calm: LoadResult, attacked: LoadResult): Measurement[] {
  const latencies = percentiles.map((percent): Measurement => ({
    kind: 'comparison',
    id: `load-p${percent}`,
    name: `a commit until the other devices hear it, ${percent} of 100`,
    unit: 'ms',
    limitName: 'without an attacker',
    rounds: [
      {
        ours: percentile(attacked.latenciesMs, percent),
        limit: percentile(calm.latenciesMs, percent),
      },
    ],
  }));
  const minutes = [0.1, 0.5, 1].map((part) => (part * seconds) / 60);
  const memory = attacked.memory.flatMap(({ residentMb, ownMb }, at) => {
    const minute = `memory in minute ${minutes[at]?.toFixed(1)}, with an attacker`;
    return [
      amount({ id: `load-memory-${at}`, name: minute, unit: 'MB' }, [residentMb]),
      amount({ id: `load-own-memory-${at}`, name: `${minute}, without mapped files`, unit: 'MB' }, [
        ownMb,
      ]),
    ];
  });
  const failed = [
    amount({ id: 'load-failed-calm', name: 'commits lost, without', unit: 'commits' }, [
      calm.failed,
    ]),
    amount({ id: 'load-failed', name: 'commits lost, with an attacker', unit: 'commits' }, [
      attacked.failed,
    ]),
    amount({ id: 'load-reopened', name: 'streams that ended, with an attacker', unit: 'streams' }, [
      attacked.reopened,
    ]),
  ];
  return [...latencies, ...memory, ...failed];
}

/**
 * Measures 200 owners with three devices each, first without an attacker, then with one who attacks in every way at
 * once.
 */
export function benchLoad(): Promise<Measurement[]> {
  const plan = { owners, devices, everyMs, seconds };
  return withTempFolder(async (folder) => {
    const calm = await runLoad(join(folder, 'calm'), { ...plan, hasAttacker: false });
    say(`load: ${calm.latenciesMs.length} commits`);
    const attacked = await runLoad(join(folder, 'attacked'), { ...plan, hasAttacker: true });
    say(`load: ${attacked.latenciesMs.length} commits`);
    return toMeasurements(calm, attacked);
  });
}
