import { isJsonObject, type JsonObject } from '../json.ts';
import type { Caller } from './caller.ts';
import type { Database } from './database.ts';
import { encodeCommitResult } from './commit-codec.ts';
import { invalidArgument, toFirestoreError } from './firestore-error.ts';
import type { StreamHandler, StreamSink } from './stream.ts';
import { decodeWrites } from './write.ts';

/**
 * - The first message is answered with a stream token, every later one is one atomic commit.
 * - Commits of a stream run one after the other and are answered in order.
 * - The first failure ends the stream: the client sends the later batches again on a new one, so
 *   working on with them would apply them twice.
 */
export interface WriteStreamDeps {
  readonly database: Database;
  readonly caller: Caller;
  readonly sink: StreamSink;
}

export function createWriteStream({ database, caller, sink }: WriteStreamDeps): StreamHandler {
  let isOpen = true;
  let isGreeted = false;
  let answered = 0;
  let last: Promise<void> = Promise.resolve();

  const nextToken = () => Buffer.from(String(answered++)).toString('base64');

  const commit = async (message: JsonObject) => {
    if (!isOpen) return;
    try {
      const writes = decodeWrites(message['writes'], database.names);
      const body =
        writes.length === 0 ? {} : encodeCommitResult(await database.commit(caller, writes));
      sink.send({ streamToken: nextToken(), ...body });
    } catch (error) {
      isOpen = false;
      sink.fail(toFirestoreError(error));
    }
  };

  return {
    onMessage(message) {
      if (!isJsonObject(message)) throw invalidArgument('A request must be an object.');
      if (!isGreeted) {
        isGreeted = true;
        sink.send({ streamId: '1', streamToken: nextToken() });
        return;
      }
      last = last.then(() => commit(message));
    },
    onClose() {
      isOpen = false;
    },
  };
}
