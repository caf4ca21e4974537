import type { AccountStore } from './account-store.ts';
import type { Accounts } from './accounts.ts';
import type { DeletionListener, Deletions } from './deletions.ts';
import type { Sessions } from '../tokens/sessions.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/** The administrator's interface: it needs no permission, but the password policy applies. */
export interface AdminAccounts {
  createUser(user: NewUser): Promise<{ uid: string }>;
  findUser(email: string): { readonly uid: string; readonly isDisabled: boolean } | null;
  /** Deletes a user. It is idempotent: an unknown uid is no error. */
  deleteUser(uid: string): Promise<void>;
  setDisabled(uid: string, isDisabled: boolean): Promise<void>;
  /** Resolves to the owner of the token; null unless the token is valid now. */
  verifyIdToken(idToken: string): Promise<{ uid: string } | null>;
  /**
   * Delivers an event for every deleted account, including those deleted while there was no listener. An event is
   * delivered at least once, until the listener resolves, and survives crashes.
   */
  onDeleted(listener: DeletionListener): () => void;
}

/** The address under which passwords of the administrator are queued for hashing. */
const thisProcess = '127.0.0.1';

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
    const { uid } = await accounts.create({ email, password, displayName }, thisProcess);
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
