import type { Accounts } from './accounts.ts';
import type { DeletionListener, Deletions } from './deletions.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/** The administrator's door: nobody is asked for permission, the rules for passwords hold. */
export interface AdminAccounts {
  createUser(user: NewUser): Promise<{ uid: string }>;
  /** No error when there is no such user. */
  deleteUser(uid: string): Promise<void>;
  setDisabled(uid: string, isDisabled: boolean): Promise<void>;
  /**
   * Tells of every deleted account, also of those deleted while nobody listened. An event is told
   * until the listener has resolved, at least once, and survives crashes.
   */
  onDeleted(listener: DeletionListener): () => void;
}

export const createAdminAccounts = (accounts: Accounts, deletions: Deletions): AdminAccounts => ({
  async createUser({ email, password, displayName }) {
    const { uid } = await accounts.create({ email, password }, displayName);
    return { uid };
  },
  deleteUser: (uid) => accounts.removeUser(uid),
  setDisabled: (uid, isDisabled) => accounts.setDisabled(uid, isDisabled),
  onDeleted: (listener) => deletions.onDeleted(listener),
});
