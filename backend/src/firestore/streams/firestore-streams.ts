import type { Channel, Handshake, StreamHandler } from '../../stream.ts';
import type { AuthContext, User } from '../../caller.ts';
import type { Clock } from '../../clock.ts';
import { isJsonObject } from '../../json.ts';
import type { Resources } from '../../limits/resources.ts';
import type { Log } from '../../log.ts';
import type { Database } from '../documents/database.ts';
import { FirestoreError, grpcCode } from '../firestore-error.ts';
import { createListenStream } from '../listen/listen-stream.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { toStreamError, type StreamSink } from './stream.ts';
import { createWriteStream } from './write-stream.ts';

/** Resolves to null for a request without credentials. @throws {FirestoreError} UNAUTHENTICATED for invalid ones. */
export type Authenticate = (authorization: string | undefined) => Promise<User>;

export interface FirestoreStreamsDeps {
  readonly database: Database;
  readonly authenticate: Authenticate;
  /** Whether the token of a caller that was authenticated earlier has not been revoked since. */
  readonly isCurrent: (caller: AuthContext) => boolean;
  readonly resources: Resources;
  readonly clock: Clock;
  readonly log: Log;
}

const expiryCheckMs = 5000;

/** The handler of a refused stream, which ignores all messages. */
const deaf: StreamHandler = {
  onMessage: () => undefined,
  onOversized: () => undefined,
  onClose: () => undefined,
};

/** Checks the database that clients may name in each message. */
function checkDatabase(message: unknown, names: DatabaseNames): void {
  const name = isJsonObject(message) ? (message['database'] ?? '') : '';
  if (name !== '' && name !== names.database) throw names.foreign(name);
}

/**
 * - It opens the Listen or the Write stream of a session for the user that the handshake authenticates.
 * - A stream fails with UNAUTHENTICATED when its token expires or is revoked, which makes the SDK reconnect with a fresh
 *   token. If it cannot get one, the SDK signs out, and its listeners end with PERMISSION_DENIED.
 */
export function createFirestoreStreams(deps: FirestoreStreamsDeps) {
  const { database, authenticate, isCurrent, resources, clock, log } = deps;
  const callers = new Map<StreamSink, AuthContext>();

  const endWhere = (isOver: (caller: AuthContext) => boolean, message: string) => {
    for (const [sink, caller] of callers) {
      if (!isOver(caller)) continue;
      callers.delete(sink);
      sink.fail(new FirestoreError('UNAUTHENTICATED', message));
    }
  };
  const endRevoked = (isConcerned: (caller: AuthContext) => boolean) =>
    endWhere((each) => isConcerned(each) && !isCurrent(each), 'The ID token was revoked.');

  const stop = clock.every(expiryCheckMs, () => {
    endWhere((each) => each.expiresAtMs <= clock.now(), 'The ID token has expired.');
    // This catches streams that were being opened while their token was revoked.
    endRevoked(() => true);
  });

  const openFor = async (handshake: Handshake, sink: StreamSink): Promise<StreamHandler> => {
    const caller = await authenticate(handshake.headers.get('authorization'));
    if (caller !== null) {
      handshake.admit(caller.uid);
      callers.set(sink, caller);
    }
    const client = { ...handshake.client, uid: caller?.uid ?? null };
    const streamDeps = { database, caller, client, resources, sink, log };
    if (handshake.path.includes('/Listen/')) return createListenStream(streamDeps);
    const isAlive = () =>
      caller === null || (caller.expiresAtMs > clock.now() && isCurrent(caller));
    const stream = createWriteStream({ ...streamDeps, isCurrent: isAlive });
    return { ...stream, takesLargeMessages: caller !== null };
  };

  return {
    stop,
    /**
     * Ends the streams of the user whose tokens were revoked. Those of others are left alone: a session that has changed its own
     * password gets a new token first.
     */
    endRevoked: (uid: string) => endRevoked((each) => each.uid === uid),
    open: async (handshake: Handshake, channel: Channel): Promise<StreamHandler> => {
      const sink: StreamSink = {
        send: (message) => channel.send(message),
        drained: () => channel.drained(),
        fail: ({ status, message }) =>
          channel.sendLast({ error: { code: grpcCode(status), message, status } }),
      };
      const fail = (error: unknown) => sink.fail(toStreamError(error, log));
      try {
        const handler = await openFor(handshake, sink);
        return {
          ...handler,
          onMessage(message) {
            try {
              checkDatabase(message, database.names);
              handler.onMessage(message);
            } catch (error) {
              fail(error);
            }
          },
          onClose() {
            callers.delete(sink);
            handler.onClose();
          },
        };
      } catch (error) {
        fail(error);
        return deaf;
      }
    },
  };
}
