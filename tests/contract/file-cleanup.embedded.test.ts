import { createManualClock } from '../../backend/tests/support/fakes/manual-clock.ts';
import { createEmbeddedFileCleanupPorts } from '../../scripts/serve/embedded-file-cleanup.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { describeFileCleanup } from './file-cleanup.ts';

describeFileCleanup('the embedded backend', async () => {
  const clock = createManualClock();
  const backend = await startTestBackend({ clock });
  const { firestore, storage } = backend.current();
  return {
    ports: createEmbeddedFileCleanupPorts({ firestore, storage }, { clock }),
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    put: (documents) =>
      firestore.commit(Object.entries(documents).map(([path, data]) => ({ set: path, data }))),
    upload: async (name, metadata = {}) => {
      await storage.put(name, new Uint8Array([1, 2, 3]), { metadata });
    },
    files: async () =>
      Object.fromEntries(
        storage
          .list({ prefix: '' })
          .objects.map(({ name, settings }) => [name, Object.fromEntries(settings.custom)]),
      ),
    dispose: () => backend.dispose(),
  };
});
