import { startTestBackend, type TestBackend } from '../../support/servers/backend-in-process.ts';
import { inspect } from 'node:util';
import { CommandError } from '../../../src/data/commands/commands.ts';
import { createSeededRandom } from '../replication/seeded-random.ts';
import {
  createCommandActions,
  writeMany,
  type ActionKind,
  type SharedState,
} from './command-actions.ts';
import { openCommandDevice, type CommandDevice, type RunningApp } from './command-device.ts';
import type { CommandHistory, Happening } from './command-history.ts';
import { judgeCommands } from './command-judge.ts';
import { createCommandLedger } from './command-ledger.ts';
import { openFaultyLink } from './faulty-link.ts';
import { backUp, restore, type ServerBackup } from './server-backup.ts';

const minuteMs = 60_000;
const leastDevices = 2;
/** More rounds than any chain of dependent steps needs: documents, files, transcripts, removals. */
const healingRounds = 8;
const restedRound = 3;

/** A server that many histories share, each with its own owner. */
export interface CommandStage {
  readonly backend: TestBackend;
  /** The offset of the server's time, and of all devices' apart from their errors. */
  readonly time: { offsetMs: number };
  /** How often each action was carried out, over all histories. */
  readonly carriedOut: Map<ActionKind, number>;
  dispose(): Promise<void>;
}

export async function openCommandStage(): Promise<CommandStage> {
  const time = { offsetMs: 0 };
  const clock = {
    now: () => Date.now() + time.offsetMs,
    elapsedMs: () => performance.now() + time.offsetMs,
    every: (intervalMs: number, run: () => void) => {
      const timer = setInterval(run, intervalMs);
      return () => clearInterval(timer);
    },
  };
  const backend = await startTestBackend({ clock });
  return { backend, time, carriedOut: new Map(), dispose: () => backend.dispose() };
}

let histories = 0;

interface World {
  readonly stage: CommandStage;
  readonly devices: readonly CommandDevice[];
  readonly act: (device: CommandDevice, kind: ActionKind, pick: number) => Promise<void>;
  readonly state: SharedState;
  /** The errors that nothing in the history explains. */
  readonly defects: string[];
  backup: ServerBackup | null;
}

async function openWorld(
  stage: CommandStage,
  { seed, happenings }: CommandHistory,
  state: SharedState,
): Promise<World> {
  histories += 1;
  const own = `h${String(histories)}x${String(process.pid)}`;
  const seeded = createSeededRandom(seed);
  const random = (): number => seeded.next();
  const { devices } = state;
  const needed = happenings.map((each) => ('device' in each ? each.device + 1 : 0));
  const count = Math.max(leastDevices, ...needed);
  for (let index = 0; index < count; index += 1) {
    const serverPort = () => stage.backend.current().port;
    const link = await openFaultyLink({ serverPort, random });
    devices.push(
      await openCommandDevice({
        name: `${own}d${String(index)}`,
        email: `${own}@example.com`,
        isNew: index === 0,
        link,
        random,
        nowMs: () => Date.now() + stage.time.offsetMs,
        transcribe: async (objectName) => `heard ${objectName}`,
      }),
    );
  }
  const carryOut = createCommandActions(state);
  const { carriedOut } = stage;
  const act: World['act'] = async (device, kind, pick) => {
    if (await carryOut(device, kind, pick)) carriedOut.set(kind, (carriedOut.get(kind) ?? 0) + 1);
  };
  return { stage, devices, act, state, defects: [], backup: null };
}

/**
 * Whether a crash explains the error of a command or a sync, or the command has refused what the owner asked for. A bad
 * link explains none: a sync reports it as its outcome, and commands need no link.
 */
function isExplained(error: unknown, { disk }: CommandDevice): boolean {
  return disk.hasFailed() || (error instanceof CommandError && error.code !== 'storage');
}

/** Passes over an error that is explained, since the judge examines the resulting state. Any other is a defect. */
async function attempt(
  { defects }: World,
  device: CommandDevice,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isExplained(error, device)) defects.push(inspect(error));
  }
}

/** Parks the first file that waits, as a refusal of the server does. */
async function refuseFile({ outbox: { queue } }: RunningApp): Promise<void> {
  const job = (await queue.list()).find(({ stage }) => stage === 'queued');
  if (job !== undefined) await queue.move(job, { stage: 'failed', code: 'permission-denied' });
}

async function happen(
  world: World,
  happening: Happening,
  onCrash: (interrupted: Happening) => void,
): Promise<void> {
  const { stage, devices, act } = world;
  const device = devices['device' in happening ? happening.device : 0];
  if (device === undefined) throw new Error('A history has devices');
  const orCrash = async (crash: number | null, work: () => Promise<void>): Promise<void> => {
    if (crash !== null) device.disk.failAfter(crash);
    await attempt(world, device, work);
    if (device.disk.hasFailed()) {
      onCrash(happening);
      await device.restart();
    }
    device.disk.repair();
  };
  switch (happening.kind) {
    case 'act':
      return orCrash(happening.crash, () => act(device, happening.action, happening.pick));
    case 'sync':
      return orCrash(happening.crash, () => device.app().sync());
    case 'sync-all':
      await Promise.all(devices.map((each) => attempt(world, each, () => each.app().sync())));
      return;
    case 'act-while-syncing': {
      const synced = attempt(world, device, () => device.app().sync());
      await attempt(world, device, () => act(device, happening.action, happening.pick));
      return synced;
    }
    case 'link':
      device.link.setMode(happening.mode);
      return;
    case 'clock':
      device.clockErrorMs = happening.minutes * minuteMs;
      return;
    case 'pass':
      stage.time.offsetMs += happening.minutes * minuteMs;
      return;
    case 'restart-server':
      return stage.backend.restart();
    case 'back-up':
      world.backup = await backUp(stage.backend.current().firestore, device.client.uid);
      return;
    case 'restore': {
      const { backup } = world;
      if (backup === null) return;
      const from = { backup, how: happening.how };
      return restore(stage.backend.current().firestore, device.client.uid, from);
    }
    case 'write-many':
      return writeMany({ app: device.app(), state: world.state }, happening.count);
    case 'refuse-file':
      return refuseFile(device.app());
  }
}

/** Ends all faults, lets every delay pass, retries refused work, and syncs until nothing can be left. */
async function heal({ stage, devices, act }: World): Promise<void> {
  for (const device of devices) {
    device.link.setMode('good');
    device.clockErrorMs = 0;
    await device.restart();
  }
  for (let round = 0; round < healingRounds; round += 1) {
    for (const device of devices) {
      // The SDK does not see the shifted time, so the token is refreshed explicitly.
      await device.client.idToken(true);
      await act(device, 'retry', 0);
      await device.app().sync();
    }
    // Removals of files are delayed by two minutes, and that of a deleted note's recording by a day.
    stage.time.offsetMs += (round === restedRound ? 25 * 60 : 3) * minuteMs;
  }
}

/**
 * Runs a history and heals its faults. @param onCrash is called for each command or sync that a crash interrupts.
 * @returns the violations at the end; none if the rules held.
 */
export async function runCommandHistory(
  stage: CommandStage,
  history: CommandHistory,
  onCrash: (interrupted: Happening) => void = () => undefined,
): Promise<readonly string[]> {
  const state: SharedState = {
    ledger: createCommandLedger(),
    pictures: new Map(),
    petIds: new Map(),
    entryIds: new Map(),
    givenUp: new Set(),
    devices: [],
    zip: null,
  };
  const world = await openWorld(stage, history, state);
  try {
    for (const happening of history.happenings) await happen(world, happening, onCrash);
    await heal(world);
    const server = stage.backend.current();
    const wrong = await judgeCommands({ devices: world.devices, server, state });
    return [...world.defects, ...wrong];
  } finally {
    for (const device of world.devices) await device.dispose();
  }
}
