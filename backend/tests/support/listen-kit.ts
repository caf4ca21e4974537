import type { AccessPolicy } from '../../src/firestore/access-policy.ts';
import { admin } from '../../src/caller.ts';
import type { Database } from '../../src/firestore/documents/database.ts';
import { silentLog } from '../../src/log.ts';
import { createResources, type Resources } from '../../src/limits/resources.ts';
import { createListenStream } from '../../src/firestore/listen/listen-stream.ts';
import { encodeResumeToken } from '../../src/firestore/listen/resume-token.ts';
import { structuredQuery, writes } from './firestore-json.ts';
import { createManualClock } from './fakes/manual-clock.ts';
import { createRecordingLog } from './fakes/recording-log.ts';
import { createRecordingSink } from './fakes/recording-sink.ts';
import { aliceCaller, databaseNames, openTestDatabase } from './test-database.ts';

export const documentTarget = (targetId: number, path: string, more = {}) => ({
  addTarget: { targetId, documents: { documents: [databaseNames.toName(path)] }, ...more },
});
export const queryTarget = (targetId: number, query = {}, more = {}) => ({
  addTarget: {
    targetId,
    query: { parent: databaseNames.documents, structuredQuery: structuredQuery('c', query) },
    ...more,
  },
});
export const commit = (database: Database, ...json: unknown[]) =>
  database.commit(admin, writes(...json));

/** Resources on which all work runs at once, except the later slices of long work. */
export const atOnce = (resources: Resources): Resources => ({
  ...resources,
  turns: {
    ...resources.turns,
    run: (client, piece) => resources.work.measure(client, piece),
    ask(client, piece) {
      resources.work.check(client);
      return resources.work.measure(client, piece);
    },
  },
});

/** Alice as a listener, with her resources and the log. */
export const alice = (clock = createManualClock()) => ({
  log: silentLog,
  caller: aliceCaller,
  client: { uid: aliceCaller.uid, address: '192.0.2.1' },
  resources: atOnce(createResources({ clock })),
});

/** Opens a stream of Alice with a sink and a log that record what they get. */
export async function openListener(options: { policy?: AccessPolicy; database?: Database } = {}) {
  const database = options.database ?? (await openTestDatabase(options)).database;
  const sink = createRecordingSink();
  const { log, lines } = createRecordingLog();
  const stream = createListenStream({ database, sink, ...alice(), log });
  return { database, sink, stream, lines };
}

export const resumeAt = (database: Database, version = database.readVersion()) => ({
  resumeToken: encodeResumeToken(database.epoch, version),
});
