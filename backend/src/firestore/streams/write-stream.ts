import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Client } from '../../limits/client.ts';
import type { Resources } from '../../limits/resources.ts';
import type { Log } from '../../log.ts';
import type { StreamHandler } from '../../stream.ts';
import type { Caller } from '../../caller.ts';
import type { Database } from '../documents/database.ts';
import { encodeCommitResult } from '../commit/committer.ts';
import { createSender, type Sender } from '../commit/sender.ts';
import { invalidArgument } from '../firestore-error.ts';
import { createMessageQueue } from './message-queue.ts';
import { toStreamError, type StreamSink } from './stream.ts';
import { decodeWrites } from '../commit/write.ts';

export interface WriteStreamDeps {
  readonly database: Database;
  readonly caller: Caller;
  readonly client: Client;
  readonly resources: Resources;
  readonly sink: StreamSink;
  readonly isCurrent: () => boolean;
  readonly log: Log;
}

/**
 * - The first message is answered with a stream token; every later one is one atomic commit.
 * - Commits of a stream run one after the other and are answered in order. Each takes a turn of its client.
 * - The first failure ends the stream: the client retries the later batches on a new one, so
 *   committing them here would apply them twice.
 * - Nothing is committed once the token is invalid. The stream does not report that itself: `createFirestoreStreams` ends
 *   such streams, late enough that a session that changed its own password can switch to its new token.
 * - A batch that is retried because its answer was lost is a new batch, as on hosted Firestore.
 */
export function createWriteStream(deps: WriteStreamDeps): StreamHandler {
  const { client, resources, sink, log } = deps;
  let isOpen = true;
  /** The number of answers, the first of which is the greeting. */
  let answered = 0;
  const sender = createSender(deps);

  const nextToken = () => Buffer.from(String(answered++)).toString('base64');

  const end = () => {
    isOpen = false;
    queue.stop();
  };

  /** Has null for a batch that was too large, since the client attributes a failure to the first one without an answer. */
  const queue = createMessageQueue({
    // While a batch is in work, the channel keeps the later ones encoded, and charges their bytes to the client.
    maxWaiting: 0,
    async take(batch: JsonObject | null) {
      const commit = () => (isOpen ? commitBatch(deps, batch, sender) : undefined);
      const body = await resources.turns.ask(client, commit);
      if (body !== undefined) sink.send({ streamToken: nextToken(), ...body });
    },
    fail(error) {
      end();
      if (deps.isCurrent()) sink.fail(toStreamError(error, log));
    },
  });

  return {
    drained: () => queue.drained(),
    onMessage(message) {
      if (!isJsonObject(message)) throw invalidArgument('A request must be an object.');
      if (answered === 0) {
        sink.send({ streamId: '1', streamToken: nextToken() });
        return;
      }
      queue.take(message);
    },
    onOversized: () => queue.take(null),
    onClose: end,
  };
}

async function commitBatch(
  { database, caller }: WriteStreamDeps,
  message: JsonObject | null,
  sender: Sender,
): Promise<JsonObject> {
  if (message === null) throw invalidArgument('The request exceeds the maximum size.');
  const writes = await sender.inTurns(decodeWrites(message['writes'], database));
  if (writes.length === 0) return {};
  return encodeCommitResult(await database.commit(caller, writes, sender));
}
