import { isOtherHistory } from '../../../replication/documents/checkpoint.ts';
import { checkpointId, emptyCheckpoint, type Checkpoint } from '../../../schemas/local-record.ts';
import { createMemoryServer, type ServerState } from '../../support/memory-remote.ts';
import { createEditLedger } from './edit-ledger.ts';
import type { Happening, History } from './history.ts';
import { findViolations } from './history-judge.ts';
import { createOwnerActions, refusedMark, refusedTodayMark } from './model-actions.ts';
import type { ModelContext } from './model-context.ts';
import {
  createModelDevice,
  openTab,
  type ModelDevice,
  type Mutation,
  type Tab,
} from './model-device.ts';
import { createSeededRandom } from './seeded-random.ts';
import { createStepScheduler } from './step-scheduler.ts';

const uid = 'owner-1';
const maxSteps = 20_000;
const maxHealingRounds = 40;

function checkpointOf(device: ModelDevice): Checkpoint {
  const record = device.store.records().get(checkpointId);
  return record?.kind === 'checkpoint' ? record : emptyCheckpoint;
}

/**
 * Lives through a history, heals everything, syncs until nothing moves, and judges.
 * @returns what is wrong; nothing if the rules held.
 */
export async function runHistory(
  history: History,
  mutation: Mutation = {},
): Promise<readonly string[]> {
  const random = createSeededRandom(history.seed);
  const scheduler = createStepScheduler((bound) => random.below(bound));
  const time = { nowMs: 1_700_000_000_000 };
  const server = createMemoryServer({ now: () => time.nowMs });
  const ledger = createEditLedger();
  let ids = 0;
  let isStrict = true;
  let isHealing = false;
  let saved: ServerState | null = null;

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
      if (isHealing) return Promise.resolve();
      return scheduler.pause(process);
    },
    lossBefore: history.losses ? 0.03 : 0,
    lossAfter: history.losses ? 0.05 : 0,
    duplicates: history.losses ? 0.1 : 0,
    generation: 0,
  };
  const actions = createOwnerActions(context);

  server.refuse(({ fields }) => {
    const text = Object.values(fields).join(' ');
    if (text.includes(refusedMark)) return 'invalid-argument';
    return isStrict && text.includes(refusedTodayMark) ? 'failed-precondition' : null;
  });
  for (let index = 0; index < history.legacyPets; index += 1) {
    const token = ledger.newToken();
    const identity = { collection: 'pets', id: `old-${String(index)}`, petId: null } as const;
    const content = { fields: { name: token }, edits: {}, deleted: false, seq: 0 };
    server.put({ ...identity, ownerId: uid, ...content, updatedAtMs: null });
    const key = `pets/${identity.id}`;
    ledger.record({ token, key, field: 'name', parent: null, author: 'person' });
  }
  const devices = history.clocks.map((minutes, index) =>
    createModelDevice(context, index, minutes * 60_000),
  );
  const deviceAt = (index: number): ModelDevice => {
    const device = devices[index % devices.length];
    if (!device) throw new Error('a history has devices');
    return device;
  };

  const begin = (tab: Tab): void => {
    if (tab.run !== null || !tab.process.isAlive) return;
    const abort = new AbortController();
    const ended = tab.engine.run(abort.signal);
    const run = { abort, ended };
    tab.run = run;
    void (async () => {
      await ended;
      if (tab.run === run) tab.run = null;
    })();
  };

  const finish = async (tab: Tab): Promise<void> => {
    begin(tab);
    for (let step = 0; tab.run !== null && step < maxSteps; step += 1) {
      if (!(await scheduler.step(tab.process))) return;
    }
  };

  const crash = (device: ModelDevice, which: number): void => {
    const [first, second] = device.tabs;
    scheduler.kill((which === 0 ? first : second).process);
    const opened = openTab(context, device);
    device.tabs = which === 0 ? [opened, second] : [first, opened];
  };

  const drain = async (): Promise<void> => {
    for (let step = 0; step < maxSteps; step += 1) if (!(await scheduler.step())) return;
  };

  /** A restore takes longer than any run: requests under way fail, and the runs end before it. */
  const interruptAll = async (): Promise<void> => {
    context.generation += 1;
    for (const tab of devices.flatMap(({ tabs }) => tabs)) tab.run?.abort.abort();
    await drain();
  };

  const restore = async (how: 'headless' | 'new-epoch' | 'same-epoch'): Promise<void> => {
    if (saved === null) return;
    await interruptAll();
    const head = saved.heads.get(uid) ?? null;
    const noticing = devices.find((device) => {
      const isSame = head?.epoch === checkpointOf(device).epoch;
      return device.isOnline && isSame && isOtherHistory(checkpointOf(device), head);
    });
    server.restore(saved);
    if (how === 'same-epoch' && noticing) {
      const { lossBefore, lossAfter } = context;
      context.lossBefore = 0;
      context.lossAfter = 0;
      crash(noticing, 0);
      await finish(noticing.tabs[0]);
      Object.assign(context, { lossBefore, lossAfter });
    } else if (how === 'new-epoch' && head !== null) {
      server.setHead(uid, { ...head, epoch: context.newId() });
    } else server.setHead(uid, null);
  };

  const happen = async (happening: Happening): Promise<void> => {
    switch (happening.kind) {
      case 'steps':
        for (let step = 0; step < happening.count; step += 1) await scheduler.step();
        return;
      case 'tick':
        time.nowMs += happening.minutes * 60_000;
        return;
      case 'snapshot':
        saved = server.snapshot();
        return;
      case 'restore':
        return restore(happening.how);
      case 'sync':
        return begin(deviceAt(happening.device).tabs[happening.tab === 0 ? 0 : 1]);
      case 'fullSync':
        return finish(deviceAt(happening.device).tabs[0]);
      case 'crash':
        return crash(deviceAt(happening.device), happening.tab);
      case 'network':
        deviceAt(happening.device).isOnline = happening.isOnline;
        return;
      case 'edit':
        return actions.edit(deviceAt(happening.device), happening.pick, happening.how);
      case 'addPet':
      case 'retry':
        return actions[happening.kind](deviceAt(happening.device));
      default:
        return actions[happening.kind](deviceAt(happening.device), happening.pick);
    }
  };

  const heal = (): void => {
    Object.assign(context, { lossBefore: 0, lossAfter: 0, duplicates: 0 });
    isStrict = false;
    for (const device of devices) device.isOnline = true;
  };

  /** @returns false if the devices never come to rest. */
  const settle = async (): Promise<boolean> => {
    await drain();
    isHealing = true;
    for (const device of devices) actions.retry(device);
    let quietRounds = 0;
    for (let round = 0; round < maxHealingRounds && quietRounds < 2; round += 1) {
      let isQuiet = true;
      for (const device of devices) {
        const outcome = await device.tabs[0].engine.run(new AbortController().signal);
        const moved = outcome.pushed + outcome.pulled + outcome.parked;
        if (outcome.problem !== null || moved > 0) isQuiet = false;
      }
      quietRounds = isQuiet ? quietRounds + 1 : 0;
    }
    return quietRounds === 2;
  };

  for (const happening of history.happenings) await happen(happening);
  heal();
  if (!(await settle())) return ['the devices never come to rest'];
  const head = server.snapshot().heads.get(uid) ?? null;
  return findViolations({ devices, ledger, head, documents: server.snapshot().documents });
}
