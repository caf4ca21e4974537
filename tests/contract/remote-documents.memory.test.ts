import { refKey, RemoteError, type RemoteDocuments } from '../../replication/ports.ts';
import { createMemoryServer } from '../support/fakes/memory-remote.ts';
import { describeRemoteDocuments } from './remote-documents.ts';

function refuse(): Promise<never> {
  return Promise.reject(new RemoteError('transient', 'unavailable'));
}

const unreachable: RemoteDocuments = {
  readHead: refuse,
  pull: refuse,
  hasUnsequenced: refuse,
  sumOfSeqs: refuse,
  scan: refuse,
  transact: refuse,
  abandon: () => undefined,
};

describeRemoteDocuments('in memory', async () => {
  const server = createMemoryServer({ now: () => 1_700_000_000_000 });
  const find = (key: string) => {
    const document = server.snapshot().documents.get(key);
    if (!document) throw new Error(`no ${key}`);
    return document;
  };
  return {
    uidA: 'owner-a',
    uidB: 'owner-b',
    a: server.connect('owner-a'),
    a2: server.connect('owner-a'),
    b: server.connect('owner-b'),
    unreachable,
    seedUnsequenced: async (document) => {
      server.put({ ...document, edits: {}, deleted: false, seq: 0, updatedAtMs: null });
    },
    seedUnknownField: async (ref, name, value) => {
      const document = find(refKey(ref));
      server.put({ ...document, unknown: { ...document.unknown, [name]: value } });
    },
    readUnknownField: async (ref, name) => find(refKey(ref)).unknown?.[name],
    restart: async () => server.restore(server.snapshot()),
    dispose: async () => undefined,
  };
});
