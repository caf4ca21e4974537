import { lostWith } from '../support/outbox-rig.ts';
import { createMemoryRemoteFiles } from '../support/memory-remote-files.ts';
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
