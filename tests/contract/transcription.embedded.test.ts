import { createEmbeddedTranscriptionPorts } from '../../scripts/serve/embedded-transcription.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { createFakeClock } from '../support/fakes/fake-clock.ts';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { describeTranscription } from './transcription.ts';

describeTranscription('the embedded backend', async (listener) => {
  const backend = await startTestBackend();
  const { url, firestore, storage } = backend.current();
  const signUp = async (name: string) => {
    const client = await openFirestoreClient({ url, email: `${name}@example.com`, isNew: true });
    return { uid: client.uid, idToken: await client.idToken(), close: () => client.close() };
  };
  const alice = await signUp('alice');
  const bob = await signUp('bob');
  const clock = createFakeClock();
  return {
    alice,
    bob,
    ports: createEmbeddedTranscriptionPorts(backend.current(), { listener, clock }),
    putPet: (petId, data) => firestore.commit([{ set: `pets/${petId}`, data }]),
    upload: async (name, bytes) => void (await storage.put(name, bytes)),
    dispose: async () => {
      await Promise.all([alice.close(), bob.close()]);
      await backend.dispose();
    },
  };
});
