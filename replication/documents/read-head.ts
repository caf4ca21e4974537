import { RemoteError, type Head, type RemoteDocuments } from '../ports.ts';

/**
 * Reads the owner's head. A permanent refusal of this one document is a refusal of the account.
 * @throws {RemoteError} `account-refused` then.
 */
export async function readHead(remote: RemoteDocuments): Promise<Head | null> {
  try {
    return await remote.readHead();
  } catch (error) {
    if (error instanceof RemoteError && error.kind === 'permanent') {
      throw new RemoteError('permanent', 'account-refused', { cause: error });
    }
    throw error;
  }
}
