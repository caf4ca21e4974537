import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Resources } from '../limits/resources.ts';
import type { Log } from '../log.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createDeletions } from './accounts/deletions.ts';
import { createGoogleSignIn } from './google/google-sign-in.ts';
import { linkOrigin, type LinkRequest } from './passwords/link-origin.ts';
import { createMailbox } from './passwords/mailbox.ts';
import { createPasswordReset } from './passwords/password-reset.ts';
import { createPasswords } from './passwords/passwords.ts';
import { createSessions } from './tokens/sessions.ts';
import { loadSigningKey } from './tokens/signing-key.ts';

export interface AuthOptions {
  /** How recent a sign-in must be to change a password or to delete an account. */
  readonly recentLoginSeconds?: number;
  /** The scrypt cost; lower it in tests only. */
  readonly passwordCost?: number;
  /** The public origin of the app, which mails link to; not needed on loopback. */
  readonly publicOrigin?: string | undefined;
  /** The code that the account chooser asks for. Without it, sign-in with Google is off. */
  readonly chooserCode?: string;
  /** Whether visitors may create accounts; they may by default. */
  readonly takesSignUps?: boolean;
  /** Prints a mail on the terminal. Its text contains a secret code for the account. */
  readonly printMail?: (text: string) => void;
}

export interface AuthDeps {
  readonly dataDir: string;
  readonly store: KeyValueStore;
  readonly projectId: string;
  readonly clock: Clock;
  readonly resources: Resources;
  readonly log: Log;
  /** Whether only programs on this machine can reach the server. */
  readonly isLoopbackOnly: boolean;
}

const recentLoginSeconds = 300;

export type AuthService = Awaited<ReturnType<typeof openAuthService>>;

/** The services of accounts and sign-in. */
export async function openAuthService(options: AuthOptions, deps: AuthDeps) {
  const { projectId, clock, isLoopbackOnly, resources } = deps;
  const nowMs = () => clock.now();
  const key = await loadSigningKey(join(deps.dataDir, 'signing-key.pem'));
  const store = createAccountStore(deps.store);
  const deletions = createDeletions(deps);
  const passwords = createPasswords(resources, options.passwordCost);
  const sessions = createSessions({
    store,
    key,
    projectId,
    nowMs,
    recentLoginSeconds: options.recentLoginSeconds ?? recentLoginSeconds,
  });
  const { publicOrigin = null, takesSignUps = true } = options;
  const known = { store, sessions, passwords, resources, nowMs, takesSignUps };
  const { admin, ...accounts } = createAccounts({ ...known, deletions });
  const mailbox = createMailbox({
    folder: join(deps.dataDir, 'mail'),
    domain: publicOrigin === null ? 'localhost' : new URL(publicOrigin).hostname,
    print: options.printMail ?? (() => undefined),
    nowMs,
  });
  const passwordReset = createPasswordReset({ key, log: deps.log, mailbox, ...known });
  return {
    accounts,
    sessions,
    passwordReset,
    /** Null unless the server is reachable from this machine only and has a chooser code. */
    google:
      isLoopbackOnly && options.chooserCode !== undefined
        ? createGoogleSignIn({ ...known, key })
        : null,
    linkOrigin: (request: LinkRequest) => linkOrigin({ publicOrigin, isLoopbackOnly }, request),
    admin,
    /** Calls the listener with the uid whenever valid tokens of that account are revoked. */
    onRevoked: store.onRevoked,
    isEmpty: store.isEmpty,
    async stop() {
      await Promise.all([deletions.stop(), passwordReset.settled()]);
    },
  };
}
