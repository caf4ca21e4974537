import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Caller } from '../caller.ts';
import type { Database } from '../documents/database.ts';
import { encodeCommitResult } from '../commit/commit-codec.ts';
import { FirestoreError, invalidArgument, toFirestoreError } from '../firestore-error.ts';
import type { StreamHandler, StreamSink } from './stream.ts';
import { hashBatch, type Batch, type SessionLedger } from '../commit/write-ledger.ts';
import { decodeWrites, type Write } from '../commit/write.ts';

/**
 * - The first message is answered with a stream token, every later one is one atomic commit.
 * - Commits of a stream run one after the other and are answered in order.
 * - The first failure ends the stream: the client sends the later batches again on a new one, so
 *   working on with them would apply them twice.
 * - Nothing is committed for a token that does not count any more. The stream is silent then: whoever ends the streams
 *   of such tokens tells the client, and gives the session that changed its own password time to take up its new token.
 * - A batch that took effect on an earlier stream, but whose answer was lost, is answered, not repeated.
 */
export interface WriteStreamDeps {
  readonly database: Database;
  readonly caller: Caller;
  readonly sink: StreamSink;
  readonly ledger: SessionLedger;
  /** Whether the token of the caller still counts. */
  readonly isCurrent: () => boolean;
}

/** The SDK sends ten at most before it waits for answers. */
const MAX_WAITING = 100;

export function createWriteStream(deps: WriteStreamDeps): StreamHandler {
  const { sink, ledger } = deps;
  let isOpen = true;
  let isGreeted = false;
  let answered = 0;
  let waiting = 0;
  let last: Promise<void> = Promise.resolve();

  const nextToken = () => Buffer.from(String(answered++)).toString('base64');

  const run = async (work: () => Promise<JsonObject>) => {
    waiting--;
    isOpen &&= deps.isCurrent();
    if (!isOpen) return;
    try {
      const body = await work();
      sink.send({ streamToken: nextToken(), ...body });
    } catch (error) {
      isOpen = false;
      sink.fail(toFirestoreError(error));
    }
  };

  /** In its turn, so that a failure is taken for that of the first batch without an answer. */
  const enqueue = (work: () => Promise<JsonObject>) => {
    waiting++;
    last = last.then(() => run(work));
    ledger.running(last);
  };

  return {
    onMessage(message) {
      if (!isJsonObject(message)) throw invalidArgument('A request must be an object.');
      if (!isGreeted) {
        isGreeted = true;
        sink.send({ streamId: '1', streamToken: nextToken() });
        return;
      }
      if (waiting >= MAX_WAITING) {
        throw new FirestoreError('RESOURCE_EXHAUSTED', 'Too many batches wait on one stream.');
      }
      enqueue(() => commitOnce(deps, message));
    },
    onOversized() {
      enqueue(() => Promise.reject(invalidArgument('The request exceeds the maximum size.')));
    },
    onAcknowledged: (messageId) => ledger.acknowledged(messageId),
    onClose() {
      isOpen = false;
      ledger.close(sink.writtenId());
    },
  };
}

async function commitOnce(deps: WriteStreamDeps, message: JsonObject): Promise<JsonObject> {
  const { database, caller, sink, ledger } = deps;
  const writes = decodeWrites(message['writes'], database.names);
  if (writes.length === 0) return {};
  const batch: Batch = { hash: hashBatch(message['writes']), isOnce: writes.some(isOnce) };
  let messageId = sink.nextId();
  // An answer given before is given again only after what it tells is on the disk: nothing is committed then.
  const answerBefore = await ledger.answered(batch, messageId);
  if (ledger.isLeft()) throw new FirestoreError('ABORTED', 'The client goes on elsewhere.');
  const commit = async (): Promise<JsonObject> => {
    const result = await database.commit(
      caller,
      answerBefore === undefined ? writes : [],
      (done) => {
        if (answerBefore !== undefined) return [];
        messageId = sink.nextId();
        return ledger.record(batch, encodeCommitResult(done), messageId);
      },
    );
    return answerBefore ?? encodeCommitResult(result);
  };
  const answer = await commit().catch(async (error: unknown) => {
    messageId = sink.nextId();
    const given = await ledger.answeredMeanwhile(batch, messageId);
    if (given === undefined) throw error;
    return given;
  });
  // A keep-alive may have taken the number meanwhile.
  while (sink.nextId() !== messageId) {
    messageId = sink.nextId();
    await ledger.renumber(messageId);
  }
  return answer;
}

/** After it took effect, the same write is refused. */
const isOnce = ({ precondition }: Write): boolean =>
  precondition !== null && !(precondition.kind === 'exists' && precondition.exists);
