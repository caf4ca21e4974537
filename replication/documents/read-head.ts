import { RemoteError, type Head, type RemoteDocuments } from '../ports.ts';
import { AccountRefusedError } from './account-refused-error.ts';

/** Reads the owner's head. A permanent refusal of this one document is a refusal of the account. */
export async function readHead(remote: RemoteDocuments): Promise<Head | null> {
  try {
    return await remote.readHead();
  } catch (error) {
    if (error instanceof RemoteError && error.kind === 'permanent') {
      throw new AccountRefusedError(error.code, { cause: error });
    }
    throw error;
  }
}
