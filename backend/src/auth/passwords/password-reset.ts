import { describeError, type Log } from '../../log.ts';
import type { Resources } from '../../limits/resources.ts';
import { checkEmail, withPassword } from '../accounts/account.ts';
import type { AccountStore } from '../accounts/account-store.ts';
import { AuthError } from '../auth-error.ts';
import type { Mailbox } from './mailbox.ts';
import { checkPassword, type PasswordPolicy } from './password-policy.ts';
import type { Passwords } from './passwords.ts';
import { composeResetMail } from './reset-mail.ts';
import type { ResetCodes } from './reset-codes.ts';

/**
 * - A request is answered before it is looked at whose address it is: neither answer nor time tells
 *   whether there is an account.
 * - A code works once and for an hour. Using it ends every session and every other code, and proves
 *   the address. A password that is refused leaves it good.
 * - Requests are limited per address of the mail and per address of the network.
 */
export interface PasswordReset {
  /** @throws {AuthError | LimitError} what does not depend on there being an account. */
  request(request: ResetRequest): void;
  /** @returns the address the code was sent to. */
  verify(code: string): string;
  /** @param address of the network. */
  confirm(code: string, newPassword: string, address: string): Promise<string>;
  /** Resolves when the mails asked for so far are written. */
  settled(): Promise<void>;
}

export interface ResetRequest {
  readonly email: string;
  /** The network address. */
  readonly address: string;
  readonly apiKey: string;
  /** Where the page for the new password is. */
  readonly origin: string;
  readonly continueUrl: string;
}

export interface PasswordResetDeps {
  readonly store: AccountStore;
  readonly codes: ResetCodes;
  readonly passwords: Passwords;
  readonly resources: Resources;
  readonly policy: PasswordPolicy;
  readonly mailbox: Mailbox;
  readonly nowMs: () => number;
  readonly codeSeconds: number;
  readonly log: Log;
}

export function createPasswordReset(deps: PasswordResetDeps): PasswordReset {
  const { store, codes, passwords, policy, mailbox, nowMs, codeSeconds, log } = deps;
  const sending = new Set<Promise<void>>();

  const send = async (email: string, request: ResetRequest): Promise<void> => {
    const account = store.byEmail(email);
    if (account === undefined || account.isDisabled) return;
    const { uid, passwordChangedMs } = account;
    const expiresAtMs = nowMs() + codeSeconds * 1000;
    const code = await codes.issue({ uid, passwordChangedMs, expiresAtMs });
    await mailbox.deliver(composeResetMail({ ...request, email, code, codeSeconds }));
  };

  const accountOf = (code: string) => {
    if (code === '') throw new AuthError('MISSING_OOB_CODE');
    const record = codes.find(code);
    const account = record === undefined ? undefined : store.byUid(record.uid);
    const isCurrent = account?.passwordChangedMs === record?.passwordChangedMs;
    if (record === undefined || account === undefined || !isCurrent) {
      throw new AuthError('INVALID_OOB_CODE');
    }
    if (record.expiresAtMs <= nowMs()) throw new AuthError('EXPIRED_OOB_CODE');
    if (account.isDisabled) throw new AuthError('USER_DISABLED');
    return account;
  };

  return {
    request(request) {
      const email = checkEmail(request.email);
      deps.resources.attempt([
        { rate: 'resetMails', key: email },
        { rate: 'resetMailsOfAddress', key: request.address },
      ]);
      const task = new Promise((resolve) => setImmediate(resolve))
        .then(() => send(email, request))
        .catch((error: unknown) => log.error('mail failed', describeError(error)))
        .finally(() => sending.delete(task));
      sending.add(task);
    },
    verify: (code) => accountOf(code).email,
    async confirm(code, newPassword, address) {
      const { uid } = accountOf(code);
      checkPassword(newPassword, policy);
      const password = await passwords.hash(newPassword, address);
      const changed = await store.modify(
        uid,
        (now) => {
          // Again, in turn: of two who use a code at once the second is refused.
          accountOf(code);
          return { ...withPassword(now, password, nowMs()), emailVerified: true };
        },
        { isRevoking: true, also: () => codes.drop(uid) },
      );
      if (changed === undefined) throw new AuthError('INVALID_OOB_CODE');
      return changed.email;
    },
    async settled() {
      await Promise.all(sending);
    },
  };
}
