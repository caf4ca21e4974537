import { isDifferentEpoch } from '../../../replication/documents/checkpoint.ts';
import {
  checkpointId,
  emptyCheckpoint,
  type Checkpoint,
} from '../../../schemas/local/local-record.ts';
import { createMemoryServer, type MemoryServer } from '../../support/fakes/memory-remote.ts';
import type { ServerState } from '../../support/fakes/memory-remote.ts';
import { createEditLedger, type EditLedger } from './edit-ledger.ts';
import type { History, RestoreHow } from './history.ts';
import { refusedMark, refusedTodayMark } from './model-actions.ts';
import type { ModelContext } from './model-context.ts';
import { createModelDevice, reopenTab, tabOf, type ModelDevice, type Tab } from './model-device.ts';
import type { Mutation } from './mutation.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createStepScheduler } from './step-scheduler.ts';

/**
 * The devices, server, network and time of one history, and the events that can affect them besides an owner's edits.
 */
export interface ModelWorld {
  readonly context: ModelContext;
  readonly devices: readonly ModelDevice[];
  deviceAt(index: number): ModelDevice;
  pass(minutes: number): void;
  steps(count: number): Promise<void>;
  /** Runs steps until no process waits. */
  drain(): Promise<void>;
  begin(device: ModelDevice, tab: number): void;
  /** Runs a whole sync in the first tab without interleaved steps of other processes. */
  runFully(device: ModelDevice): Promise<void>;
  crash(device: ModelDevice, tab: number): void;
  snapshot(): void;
  restore(how: RestoreHow): Promise<void>;
  /** Ends all faults, and from then on lets every call run without steps. */
  heal(): void;
}

const uid = 'owner-1';
const maxSteps = 20_000;

function checkpointOf({ store }: ModelDevice): Checkpoint {
  const record = store.records().get(checkpointId);
  return record?.kind === 'checkpoint' ? record : emptyCheckpoint;
}

/** Stores documents of an earlier client on the server, and records their values as acknowledged. */
function seedLegacy(server: MemoryServer, ledger: EditLedger, count: number): void {
  for (let index = 0; index < count; index += 1) {
    const token = ledger.newToken();
    const identity = { collection: 'pets', id: `old-${String(index)}`, petId: null } as const;
    const content = { fields: { name: token }, edits: {}, deleted: false, seq: 0 };
    server.put({ ...identity, ownerId: uid, ...content, updatedAtMs: null });
    const key = `pets/${identity.id}`;
    ledger.record({ token, key, field: 'name', parent: null, author: 'person' });
  }
}

interface Faults {
  isStrict: boolean;
  isStepped: boolean;
}

function createContext(history: History, mutation: Mutation) {
  const random = createSeededRandom(history.seed);
  const scheduler = createStepScheduler((bound) => random.below(bound));
  const time = { nowMs: 1_700_000_000_000 };
  const faults: Faults = { isStrict: true, isStepped: true };
  const server = createMemoryServer({ now: () => time.nowMs });
  const ledger = createEditLedger();
  let ids = 0;
  const context: ModelContext = {
    uid,
    server,
    ledger,
    random,
    mutation,
    newId: () => {
      ids += 1;
      return `id-${String(random.below(1_000)).padStart(3, '0')}-${String(ids)}`;
    },
    nowMs: () => time.nowMs,
    pause: (process) => {
      time.nowMs += 1 + random.below(50);
      return faults.isStepped ? scheduler.pause(process) : Promise.resolve();
    },
    lossBefore: history.losses ? 0.03 : 0,
    lossAfter: history.losses ? 0.05 : 0,
    duplicates: history.losses ? 0.1 : 0,
    generation: 0,
  };
  server.refuse(({ fields }) => {
    const text = Object.values(fields).join(' ');
    if (text.includes(refusedMark)) return 'invalid-argument';
    return faults.isStrict && text.includes(refusedTodayMark) ? 'failed-precondition' : null;
  });
  seedLegacy(server, ledger, history.legacyPets);
  return { context, scheduler, time, faults };
}

export function createModelWorld(history: History, mutation: Mutation): ModelWorld {
  const { context, scheduler, time, faults } = createContext(history, mutation);
  const { server } = context;
  const devices = history.clocks.map((minutes, index) =>
    createModelDevice(context, index, minutes * 60_000),
  );
  let saved: ServerState | null = null;

  const beginTab = (tab: Tab): void => {
    if (tab.run !== null) return;
    const abort = new AbortController();
    const run = { abort, ended: tab.engine.run(abort.signal) };
    tab.run = run;
    void (async () => {
      await run.ended;
      if (tab.run === run) tab.run = null;
    })();
  };

  const steps = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step += 1) if (!(await scheduler.step())) return;
  };

  const runFully = async (device: ModelDevice): Promise<void> => {
    const tab = tabOf(device, 0);
    beginTab(tab);
    for (let step = 0; tab.run !== null && step < maxSteps; step += 1) {
      if (!(await scheduler.step(tab.process))) return;
    }
  };

  const crash = (device: ModelDevice, tab: number): void =>
    scheduler.kill(reopenTab(context, device, tab));

  /** Ends all runs before a restore, which takes longer than any run: requests in flight fail. */
  const interruptAll = async (): Promise<void> => {
    context.generation += 1;
    for (const { tabs } of devices) for (const tab of tabs) tab.run?.abort.abort();
    await steps(maxSteps);
  };

  /** Lets a device that is ahead of the backup sync first. */
  const syncFirst = async (device: ModelDevice): Promise<void> => {
    const { lossBefore, lossAfter } = context;
    Object.assign(context, { lossBefore: 0, lossAfter: 0 });
    crash(device, 0);
    await runFully(device);
    Object.assign(context, { lossBefore, lossAfter });
  };

  const restore = async (how: RestoreHow): Promise<void> => {
    if (saved === null) return;
    await interruptAll();
    server.restore(saved);
    const head = saved.heads.get(uid) ?? null;
    const ahead = devices.find((device) => {
      const checkpoint = checkpointOf(device);
      const isSameEpoch = head?.epoch === checkpoint.epoch;
      return device.isOnline && isSameEpoch && isDifferentEpoch(checkpoint, head);
    });
    if (how === 'same-epoch' && ahead) await syncFirst(ahead);
    else if (how !== 'new-epoch' || head === null) server.setHead(uid, null);
    else server.setHead(uid, { ...head, epoch: context.newId() });
  };

  return {
    context,
    devices,
    deviceAt: (index) => {
      const device = devices[index % devices.length];
      if (!device) throw new Error('a history has devices');
      return device;
    },
    pass: (minutes) => {
      time.nowMs += minutes * 60_000;
    },
    steps,
    drain: () => steps(maxSteps),
    begin: (device, tab) => beginTab(tabOf(device, tab)),
    runFully,
    crash,
    snapshot: () => {
      saved = server.snapshot();
    },
    restore,
    heal: () => {
      Object.assign(context, { lossBefore: 0, lossAfter: 0, duplicates: 0 });
      Object.assign(faults, { isStrict: false, isStepped: false });
      for (const device of devices) device.isOnline = true;
    },
  };
}
