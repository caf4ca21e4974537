import { writeRecord } from '../../store/change-documents.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deletePetJobId } from '../../schemas/local/local-record.ts';
import { pictureStamp } from '../../schemas/local/outbox-job.ts';
import { runDeletePetJob } from '../documents/push/delete-pet-job.ts';
import type { OutboxQueue } from '../../store/files/outbox-queue.ts';
import type { RemoteFiles } from '../ports.ts';
import { fuzzRuns, fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { createOutboxRig, lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { clean } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, pictureOf } from '../../tests/support/setups/test-outbox.ts';

const petIds = ['p1', 'p2', 'p3'] as const;
type PetId = (typeof petIds)[number];

type Action =
  | { readonly kind: 'add'; readonly petId: PetId; readonly text: string }
  | { readonly kind: 'delete'; readonly petId: PetId }
  /** A pass whose nth call of anything fails: nothing after it happens, as in a crash. */
  | { readonly kind: 'pass'; readonly crashAt: number; readonly isAfter: boolean }
  /** Two concurrent passes, as after the lock was stolen from a frozen tab. */
  | { readonly kind: 'twice' }
  | {
      readonly kind: 'refuse';
      readonly petId: PetId;
      readonly code: 'http-403' | 'http-500' | null;
    };

const anyPet = fc.constantFrom(...petIds);
const anyAction: fc.Arbitrary<Action> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    petId: anyPet,
    text: fc.string({ minLength: 1, maxLength: 6 }),
  }),
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), petId: anyPet }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      crashAt: fc.integer({ min: 1, max: 24 }),
      isAfter: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('twice' as const) }),
  fc.record({
    kind: fc.constant('refuse' as const),
    petId: anyPet,
    code: fc.constantFrom('http-403' as const, 'http-500' as const, null),
  }),
);

class Crash extends Error {
  override readonly name = 'Crash';
}

/** Counts calls down to the crash; after it every call fails, until the next pass. */
function createCrashes() {
  let left = Infinity;
  let isAfter = false;
  return {
    arm: (crashAt: number, after: boolean) => {
      left = crashAt;
      isAfter = after;
    },
    disarm: () => {
      left = Infinity;
    },
    guard: async <Result>(call: () => Promise<Result>): Promise<Result> => {
      left -= 1;
      if (left < 0 || (left === 0 && !isAfter)) throw new Crash();
      const result = await call();
      if (left === 0) throw new Crash();
      return result;
    },
  };
}

type Crashes = ReturnType<typeof createCrashes>;

function crashingQueue(queue: OutboxQueue, { guard }: Pick<Crashes, 'guard'>): OutboxQueue {
  return {
    ...queue,
    list: () => guard(() => queue.list()),
    get: (id) => guard(() => queue.get(id)),
    readBytes: (job) => guard(() => queue.readBytes(job)),
    move: (job, changes) => guard(() => queue.move(job, changes)),
  };
}

function crashingFiles(files: RemoteFiles, { guard }: Pick<Crashes, 'guard'>): RemoteFiles {
  const upload: RemoteFiles['upload'] = async (file, signal) => {
    try {
      return await guard(() => files.upload(file, signal));
    } catch (error) {
      // For the device, a server that died after storing looks like one that never answered.
      throw error instanceof Crash ? lostWith('unavailable') : error;
    }
  };
  const remove: RemoteFiles['remove'] = async (name, signal) => {
    try {
      await guard(() => files.remove(name, signal));
    } catch (error) {
      throw error instanceof Crash ? lostWith('unavailable') : error;
    }
  };
  return { ...files, upload, remove, stat: (...args) => guard(() => files.stat(...args)) };
}

async function play(actions: readonly Action[]): Promise<void> {
  const crashes = createCrashes();
  const wanted = new Map<PetId, string>();
  const deleted = new Set<PetId>();
  const refusals = new Map<PetId, string>();
  const rig = createOutboxRig({
    wrapQueue: (queue) => crashingQueue(queue, crashes),
    wrapFiles: (files) => crashingFiles(files, crashes),
  });
  rig.server.refuse(({ objectName }) => {
    const petId = petIds.find((id) => objectName.includes(id)) ?? 'p1';
    if (deleted.has(petId)) return refusedWith('http-403');
    const code = refusals.get(petId);
    if (code === undefined) return null;
    return code === 'http-403' ? refusedWith(code) : lostWith(code);
  });

  /** The server knows it at once, and refuses every further file of the pet. */
  const deletePet = async (petId: PetId): Promise<void> => {
    const job = { kind: 'delete-pet', petId } as const;
    await writeRecord(rig.store, deletePetJobId(petId), job);
    await runDeletePetJob(rig.store, petId);
    const pet = rig.pet(petId);
    if (pet !== undefined) rig.store.put(clean(pet, pet.seq ?? 1));
    deleted.add(petId);
  };

  const perform = async (action: Action): Promise<void> => {
    switch (action.kind) {
      case 'add':
        if (deleted.has(action.petId)) return;
        await rig.outbox.addPicture({
          ...pictureOf(action.petId, action.text),
          // Like the command, it uses a stamp above all that its owner has seen.
          chosenAtMs: Math.max(
            rig.clock.now(),
            pictureStamp(rig.pet(action.petId)?.edits ?? {}) + 1,
          ),
        });
        wanted.set(action.petId, action.text);
        return;
      case 'delete': {
        await deletePet(action.petId);
        return;
      }
      case 'pass':
        crashes.arm(action.crashAt, action.isAfter);
        await rig.pass();
        crashes.disarm();
        return;
      case 'twice':
        await Promise.all([rig.pass(), rig.pass()]);
        return;
      case 'refuse':
        if (action.code === null) refusals.delete(action.petId);
        else refusals.set(action.petId, action.code);
    }
  };

  for (const action of actions) {
    await perform(action);
    await expectNothingLost();
  }

  /** The file that was added last for a live pet is always on this device or confirmed by the server. */
  async function expectNothingLost(): Promise<void> {
    for (const [petId, text] of wanted) {
      if (deleted.has(petId)) continue;
      const md5 = md5Of(bytesOf(text));
      const job = await rig.outbox.queue.get(`profile-picture:${petId}`);
      const bytes = job === null ? null : await rig.outbox.queue.readBytes(job);
      const isHere = bytes !== null && md5Of(bytes) === md5;
      const isThere = rig.server.stored().get(`pets/${petId}/images/profile.jpg`)?.md5 === md5;
      expect(isHere || isThere, `${petId} has lost ${text}`).toBe(true);
    }
  }

  // At the end the server accepts everything, and the owner retries the parked files.
  refusals.clear();
  for (let round = 0; round < 8; round += 1) {
    for (const job of await rig.outbox.queue.list()) {
      if (job.stage === 'failed') {
        await rig.outbox.queue.move(job, { stage: 'queued', attempts: 0, code: null });
      }
    }
    rig.worker.poke('manual');
    await rig.pass();
    rig.sync();
  }

  expect(await rig.outbox.queue.list()).toEqual([]);
  const left = [...rig.server.stored().keys()].map((name) => name.split('/')[1] ?? '');
  expect(left.toSorted()).toEqual([...wanted.keys()].filter((id) => !deleted.has(id)).toSorted());
  for (const [petId, text] of wanted) {
    const stored = rig.server.stored().get(`pets/${petId}/images/profile.jpg`);
    const cached = await rig.outbox.caches.picture(petId);
    if (deleted.has(petId)) continue;
    const md5 = md5Of(bytesOf(text));
    expect(stored?.md5).toBe(md5);
    expect(cached?.md5).toBe(md5);
    expect(rig.pet(petId)?.fields['profilePictureVersion']).toBe(md5);
  }
}

const historiesPerRun = 40;

describe('random histories of files', () => {
  it('O1.3 crashes between any two steps, lost answers, refusals, duplicate passes: nothing lost, all arrives', async () => {
    const histories = fc.array(anyAction, { minLength: 1, maxLength: 14 });
    await fc.assert(fc.asyncProperty(histories, play), {
      numRuns: historiesPerRun * fuzzRuns,
      ...fuzzSeed,
    });
  });
});
