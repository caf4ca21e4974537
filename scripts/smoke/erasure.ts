import { setTimeout as after } from 'node:timers/promises';
import { RemoteError, type RemoteDocuments, type RemoteFiles } from '../../replication/ports.ts';
import { check } from './smoke-error.ts';

/** A device that was signed in when the account was deleted. */
export interface Witness {
  readonly documents: Pick<RemoteDocuments, 'pull'>;
  readonly files: Pick<RemoteFiles, 'stat'>;
}

export interface ErasureWait {
  /** A file of the account. */
  readonly objectName: string;
  readonly limitMs: number;
  /** The interval between two checks. */
  readonly lookMs: number;
}

const signal = new AbortController().signal;

/** Returns the names of the owner's pets and the texts of their notes. */
export async function namesOf({ pull }: Witness['documents']): Promise<readonly unknown[]> {
  const pets = await pull('pets', 0, 10);
  const entries = await pull('entries', 0, 10);
  return [...pets, ...entries].map(({ fields }) => fields['name'] ?? fields['text']);
}

/**
 * Codes of a file that is gone: the rules show it only to its pet's owner. The embedded backend revokes all tokens with
 * the account, whereas hosted Firebase lets them expire.
 */
const ends: readonly string[] = ['unauthenticated', 'http-401', 'http-403', 'permission-denied'];

async function isErased({ documents, files }: Witness, objectName: string): Promise<boolean> {
  try {
    if ((await namesOf(documents)).length > 0) return false;
    return (await files.stat(objectName, signal)) === null;
  } catch (error) {
    if (error instanceof RemoteError && ends.includes(error.code)) return true;
    throw error;
  }
}

/** @throws {SmokeError} if any data is left after the time limit. */
export async function waitForErasure(witness: Witness, wait: ErasureWait): Promise<void> {
  const startMs = performance.now();
  while (!(await isErased(witness, wait.objectName))) {
    const isInTime = performance.now() - startMs < wait.limitMs;
    check(isInTime, 'The account was deleted, and its data is still there.');
    await after(wait.lookMs);
  }
}
