import type { AccountStore } from './account-store.ts';
import type { Accounts } from './accounts.ts';
import type { DeletionListener, Deletions } from './deletions.ts';
import type { Sessions } from '../tokens/sessions.ts';

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly displayName?: string;
}

/** The address under which passwords of the administrator are queued for hashing. */
const thisProcess = '127.0.0.1';

export interface AdminAccountsDeps {
  readonly accounts: Accounts;
  readonly store: Pick<AccountStore, 'byEmail'>;
  readonly deletions: Deletions;
  readonly sessions: Sessions;
}

export type AdminAccounts = ReturnType<typeof createAdminAccounts>;

/** The administrator's interface: it needs no permission, but the password policy applies. */
export const createAdminAccounts = ({
  accounts,
  store,
  deletions,
  sessions,
}: AdminAccountsDeps) => ({
  async createUser({ email, password, displayName = '' }: NewUser) {
    const { uid } = await accounts.create({ email, password, displayName }, thisProcess);
    return { uid };
  },
  findUser(email: string) {
    const found = store.byEmail(email);
    return found === undefined ? null : { uid: found.uid, isDisabled: found.isDisabled };
  },
  deleteUser: accounts.removeUser,
  setDisabled: (uid: string, isDisabled: boolean) => accounts.setDisabled(uid, isDisabled),
  /** Resolves to the owner of the token; null unless the token is valid now. */
  async verifyIdToken(idToken: string) {
    const result = await sessions.authenticate(idToken);
    return result.ok ? { uid: result.account.uid } : null;
  },
  /**
   * Delivers an event for every deleted account, including those deleted while there was no listener. An event is
   * delivered at least once, until the listener resolves, and survives crashes.
   */
  onDeleted: (listener: DeletionListener) => deletions.onDeleted(listener),
});
