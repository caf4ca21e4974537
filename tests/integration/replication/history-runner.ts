import { isDeepStrictEqual } from 'node:util';
import type { Happening, History } from './history.ts';
import { findViolations } from './history-judge.ts';
import { createOwnerActions, type OwnerActions } from './model-actions.ts';
import { tabOf, type ModelDevice } from './model-device.ts';
import { createModelWorld, type ModelWorld } from './model-world.ts';
import type { Mutation } from './mutation.ts';

const maxHealingRounds = 40;

/** Performs an action of an owner. @returns false if the event is no such action. */
function act(actions: OwnerActions, device: ModelDevice, happening: Happening): boolean {
  switch (happening.kind) {
    case 'edit':
      actions.edit(device, happening.pick, happening.how);
      return true;
    case 'addPet':
    case 'retry':
      actions[happening.kind](device);
      return true;
    case 'addEntry':
    case 'transcribe':
    case 'deleteEntry':
    case 'deletePet':
      actions[happening.kind](device, happening.pick);
      return true;
    default:
      return false;
  }
}

async function happen(world: ModelWorld, happening: Happening): Promise<void> {
  switch (happening.kind) {
    case 'steps':
      return world.steps(happening.count);
    case 'tick':
      return world.pass(happening.minutes);
    case 'snapshot':
      return world.snapshot();
    case 'restore':
      return world.restore(happening.how);
    case 'sync':
      return world.begin(world.deviceAt(happening.device), happening.tab);
    case 'fullSync':
      return world.runFully(world.deviceAt(happening.device));
    case 'crash':
      return world.crash(world.deviceAt(happening.device), happening.tab);
    case 'network':
      world.deviceAt(happening.device).isOnline = happening.isOnline;
      return;
    default:
  }
}

/** Whether a run changes no copy: one that is pushed, pulled or parked changes. */
async function isAtRest(device: ModelDevice): Promise<boolean> {
  const copies = () => [device.store.documents('pets'), device.store.documents('entries')];
  const before = copies();
  const outcome = await tabOf(device, 0).engine.run(new AbortController().signal);
  return outcome.problem === null && isDeepStrictEqual(copies(), before);
}

/** Syncs all devices until two rounds change nothing. @returns false if the devices never come to rest. */
async function comeToRest(devices: readonly ModelDevice[]): Promise<boolean> {
  let quietRounds = 0;
  for (let round = 0; round < maxHealingRounds && quietRounds < 2; round += 1) {
    let isQuiet = true;
    for (const device of devices) isQuiet = (await isAtRest(device)) && isQuiet;
    quietRounds = isQuiet ? quietRounds + 1 : 0;
  }
  return quietRounds === 2;
}

/**
 * Plays a history, ends all faults, syncs until nothing changes, and judges the result.
 * @returns the violations; none if the rules held.
 */
export async function runHistory(
  history: History,
  mutation: Mutation = {},
): Promise<readonly string[]> {
  const world = createModelWorld(history, mutation);
  const { context, devices } = world;
  const actions = createOwnerActions(context);
  for (const happening of history.happenings) {
    const device = world.deviceAt('device' in happening ? happening.device : 0);
    if (!act(actions, device, happening)) await happen(world, happening);
  }
  await world.drain();
  world.heal();
  for (const device of devices) actions.retry(device);
  if (!(await comeToRest(devices))) return ['the devices never come to rest'];
  const { documents, heads } = context.server.snapshot();
  return findViolations({
    devices,
    ledger: context.ledger,
    head: heads.get(context.uid) ?? null,
    documents,
  });
}
