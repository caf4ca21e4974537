import type { AccountStore } from './account-store.ts';
import type { Accounts } from './accounts.ts';
import type { DeletionListener, Deletions } from './deletions.ts';
import type { Sessions } from '../tokens/sessions.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/** The administrator's door: nobody is asked for permission, the rules for passwords hold. */
export interface AdminAccounts {
  createUser(user: NewUser): Promise<{ uid: string }>;
  findUser(email: string): { readonly uid: string; readonly isDisabled: boolean } | null;
  /** No error when there is no such user. */
  deleteUser(uid: string): Promise<void>;
  setDisabled(uid: string, isDisabled: boolean): Promise<void>;
  /** Whose token it is; null unless it counts now, as for every service here. */
  verifyIdToken(idToken: string): Promise<{ uid: string } | null>;
  /**
   * Tells of every deleted account, also of those deleted while nobody listened. An event is told
   * until the listener has resolved, at least once, and survives crashes.
   */
  onDeleted(listener: DeletionListener): () => void;
}

/** Its passwords are hashed in turn with those of others. */
const THIS_PROCESS = '127.0.0.1';

export interface AdminAccountsDeps {
  readonly accounts: Accounts;
  readonly store: Pick<AccountStore, 'byEmail'>;
  readonly deletions: Deletions;
  readonly sessions: Sessions;
}

export const createAdminAccounts = ({
  accounts,
  store,
  deletions,
  sessions,
}: AdminAccountsDeps): AdminAccounts => ({
  async createUser({ email, password, displayName = '' }) {
    const { uid } = await accounts.create({ email, password, displayName }, THIS_PROCESS);
    return { uid };
  },
  findUser(email) {
    const found = store.byEmail(email);
    return found === undefined ? null : { uid: found.uid, isDisabled: found.isDisabled };
  },
  deleteUser: (uid) => accounts.removeUser(uid),
  setDisabled: (uid, isDisabled) => accounts.setDisabled(uid, isDisabled),
  async verifyIdToken(idToken) {
    const result = await sessions.authenticate(idToken);
    return result.ok ? { uid: result.account.uid } : null;
  },
  onDeleted: (listener) => deletions.onDeleted(listener),
});
