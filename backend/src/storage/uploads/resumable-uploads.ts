import type { User } from '../../caller.ts';
import {
  checkAnnounced,
  newFileId,
  tooLarge,
  wrongSize,
  type AnnouncedUpload,
  type UploadDeps,
} from './one-shot-upload.ts';
import { StorageError, notFound } from '../storage-error.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { createTakeover, type UploadBody } from './takeover.ts';
import { changeSession, type UploadSession, type UploadSessions } from './upload-sessions.ts';

export interface UploadPiece {
  /** The offset of the piece in bytes; null means the end of the previous one. */
  readonly offset: number | null;
  readonly body: UploadBody;
  readonly isLast: boolean;
}

export interface UploadState {
  readonly received: number;
  /** Null while the upload is active. */
  readonly finished: StoredObject | null;
}

/** The offset of a piece is not the end of the previous one. */
export class WrongOffsetError extends StorageError {
  readonly received: number;

  constructor(received: number) {
    super('invalid', `The upload continues at offset ${received}.`);
    this.name = 'WrongOffsetError';
    this.received = received;
  }
}

export interface ResumableUploadsDeps extends UploadDeps {
  readonly sessions: UploadSessions;
  readonly nowMs: () => number;
}

const maxActivePerUser = 1000;

/**
 * - Bytes are acknowledged once they and their number are durable, so an upload resumes after lost connections, restarts
 *   and power failures.
 * - The bytes of an interrupted piece that have arrived are kept; a piece that is refused is refused as a whole.
 * - One request at a time writes to an upload. A newer one aborts the older, which may hang on a dead connection.
 * - Finishing is idempotent: a repeated request gets the same answer for as long as the object has these contents.
 */
export function createResumableUploads(deps: ResumableUploadsDeps) {
  const { bucket, files, sessions, usage, nowMs, maxBytes } = deps;
  const exclusive = createTakeover();

  /** Finds an unfinished upload, or the object that a finished one has made. */
  const find = (user: User, id: string): UploadSession | StoredObject => {
    const found = sessions.get(id) ?? bucket.ofFile(id);
    if (found === null) throw notFound();
    if (found.owner !== (user?.uid ?? '')) {
      throw new StorageError('denied', 'Permission denied. Another user started this upload.');
    }
    return found;
  };

  const drop = async (id: string) => {
    await sessions.change(sessions.get(id), null);
    await files.removePart(id);
  };

  /**
   * As `find`, and makes sure that the bytes of an unfinished upload still exist. A crash while finishing can leave the part
   * renamed to a file without a record; then it renames it back. If bytes are missing, it drops the session and throws.
   */
  const findWhole = async (user: User, id: string) => {
    const found = find(user, id);
    if (isFinished(found) || found.received === 0) return found;
    if ((await files.partSize(id)) === null) await files.withdraw(id);
    if (((await files.partSize(id)) ?? 0) >= found.received) return found;
    await drop(id);
    throw notFound();
  };

  const append = (session: UploadSession, body: AsyncIterable<Uint8Array>) =>
    usage.run(session.owner, null, async (meter) => {
      const { id, received, announcedSize } = session;
      const tooMuch = announcedSize === null ? tooLarge(maxBytes) : wrongSize();
      const pieces = meter(body, (announcedSize ?? maxBytes) - received, tooMuch);
      const { end, interruption } = await files.append(id, received, pieces);
      const appended = { ...session, received: end, updatedMs: nowMs() };
      if (end !== received) await sessions.change(session, appended);
      if (interruption !== null) throw interruption;
      return appended;
    });

  const finish = async (user: User, session: UploadSession): Promise<UploadState> => {
    const { id, received, announcedSize } = session;
    if (announcedSize !== null && announcedSize !== received) throw wrongSize();
    try {
      const alongside = changeSession(session, null);
      return stateOf(await bucket.commit(user, { ...session, fileId: id, alongside }));
    } catch (error) {
      // A refusal is final; after a disk failure, or with another token, the client may retry.
      if (error instanceof StorageError && error.code !== 'unauthenticated') await drop(id);
      throw error;
    }
  };

  return {
    async start(user: User, upload: AnnouncedUpload): Promise<UploadSession> {
      const owner = user?.uid ?? '';
      checkAnnounced(deps, user, upload);
      if (usage.activeUploads(owner) >= maxActivePerUser) {
        throw new StorageError('too-many', 'Too many unfinished uploads.');
      }
      const session = { ...upload, id: newFileId(), owner, received: 0, updatedMs: nowMs() };
      await usage.run(owner, 'uploads', () => sessions.change(null, session));
      return session;
    },
    async query(user: User, id: string) {
      find(user, id);
      return exclusive(id, null, async () => stateOf(await findWhole(user, id)));
    },
    /** Appends a piece, and finishes the upload if it is the last. */
    async write(user: User, id: string, { offset, body, isLast }: UploadPiece) {
      find(user, id);
      return exclusive(id, body, async (bytes) => {
        const session = await findWhole(user, id);
        if (isFinished(session)) return stateOf(session);
        if (offset !== null && offset !== session.received) {
          throw new WrongOffsetError(session.received);
        }
        const appended = await append(session, bytes);
        return isLast ? finish(user, appended) : stateOf(appended);
      });
    },
    async cancel(user: User, id: string) {
      find(user, id);
      await exclusive(id, null, async () => {
        if (isFinished(find(user, id))) {
          throw new StorageError('invalid', 'The upload has ended already.');
        }
        await drop(id);
      });
    },
    /** Drops the uploads that were last continued before a time. */
    async sweep(beforeMs: number) {
      for await (const { id, updatedMs } of sessions.all()) {
        if (updatedMs >= beforeMs) continue;
        await exclusive(id, null, async () => {
          const session = sessions.get(id);
          if (session !== null && session.updatedMs < beforeMs) await drop(id);
        });
      }
    },
    isKnown: (id: string) => sessions.get(id) !== null,
  };
}

const isFinished = (found: UploadSession | StoredObject): found is StoredObject =>
  'fileId' in found;

const stateOf = (found: UploadSession | StoredObject): UploadState =>
  isFinished(found)
    ? { received: found.size, finished: found }
    : { received: found.received, finished: null };
