import { createMemoryLimiter } from '../../functions/src/transcription/memory-limiter.ts';
import { createTaskQueue } from '../../functions/src/speech/task-queue.ts';
import { maxConcurrent } from '../../functions/src/transcription/ports.ts';
import { petFactsOf } from '../../functions/src/transcription/pet-facts.ts';
import { createFakeClock } from '../support/fakes/fake-clock.ts';
import { describeTranscription } from './transcription.ts';

describeTranscription('memory', async (listener) => {
  const pets = new Map<string, unknown>();
  const files = new Map<string, Uint8Array>();
  const clock = createFakeClock();
  const alice = { uid: 'alice', idToken: 'token-of-alice-who-is-signed-in' };
  const bob = { uid: 'bob', idToken: 'token-of-bob-who-is-signed-in' };
  return {
    alice,
    bob,
    ports: {
      verifyToken: async (token) => [alice, bob].find(({ idToken }) => idToken === token) ?? null,
      readPet: async (petId) => petFactsOf(pets.get(petId)),
      files: {
        size: async (name) => files.get(name)?.length ?? null,
        read: async (name) => files.get(name) ?? null,
      },
      limiter: createMemoryLimiter(() => clock.now()),
      inTurn: createTaskQueue(maxConcurrent),
      listener,
      clock,
      log: () => undefined,
    },
    putPet: async (petId, data) => void pets.set(petId, data),
    upload: async (name, bytes) => void files.set(name, bytes),
    dispose: async () => {},
  };
});
