import { lostWith } from '../support/setups/outbox-setup.ts';
import { createMemoryRemoteFiles } from '../support/fakes/memory-remote-files.ts';
import { describeRemoteFiles } from './remote-files.ts';

describeRemoteFiles('in memory', async () => {
  const server = createMemoryRemoteFiles();
  const nobody = () => Promise.reject(lostWith('unavailable'));
  return {
    files: server.connect(),
    unreachable: server.connect(nobody),
    petId: 'p1',
    dispose: async () => undefined,
  };
});
