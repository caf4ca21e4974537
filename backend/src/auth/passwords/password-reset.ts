import * as v from 'valibot';
import { describeError, type Log } from '../../log.ts';
import { checkEmail, withPassword, type Account } from '../accounts/account.ts';
import type { AccountsDeps } from '../accounts/accounts.ts';
import { createPending } from '../../store/pending.ts';
import { AuthError } from '../auth-error.ts';
import { createSeal } from '../tokens/seal.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
import type { Mail, Mailbox } from './mailbox.ts';
import { checkPassword } from './password-policy.ts';

export interface ResetRequest {
  readonly email: string;
  readonly address: string;
  readonly apiKey: string;
  /** The origin of the page for the new password. */
  readonly origin: string;
  readonly continueUrl: string;
}

interface PasswordResetDeps extends Pick<
  AccountsDeps,
  'store' | 'passwords' | 'resources' | 'nowMs'
> {
  readonly key: SigningKey;
  readonly mailbox: Mailbox;
  readonly log: Log;
}

const codeLifetimeMs = 3_600_000;
/** The page of the app that asks for the new password; hosted projects set it as their action URL. */
const resetPage = '/auth/set-new-password';

/** A code is bound to the password at the time of the request: changing the password invalidates it. */
const ResetCode = v.object({
  uid: v.string(),
  passwordChangedMs: v.number(),
  expiresAtMs: v.number(),
});

/**
 * - A request is answered before the account is looked up, so neither the answer nor its time reveals whether there is one.
 * - A code works once and for an hour. Using it ends every session and every other code, and verifies the
 *   address. A refused password leaves the code valid.
 * - Requests are limited per e-mail address and per network address.
 */
export function createPasswordReset(deps: PasswordResetDeps) {
  const { store, key, passwords, mailbox, nowMs, log } = deps;
  const codes = createSeal({ key, purpose: 'password reset', schema: ResetCode });
  const sending = createPending();

  const send = async (email: string, request: ResetRequest): Promise<void> => {
    const account = store.byEmail(email);
    if (account === undefined || account.isDisabled) return;
    const { uid, passwordChangedMs } = account;
    const expiresAtMs = nowMs() + codeLifetimeMs;
    const code = codes.seal({ uid, passwordChangedMs, expiresAtMs });
    await mailbox.deliver(resetMail({ ...request, email }, code));
  };

  const accountOf = (code: string) => {
    if (code === '') throw new AuthError('MISSING_OOB_CODE');
    const record = codes.open(code);
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
    /** @throws {AuthError | LimitError} only errors that do not depend on the account. */
    request(request: ResetRequest) {
      const email = checkEmail(request.email);
      deps.resources.attempt([
        { rate: 'resetMails', key: email },
        { rate: 'resetMailsOfAddress', key: request.address },
      ]);
      const sent = new Promise((resolve) => setImmediate(resolve))
        .then(() => send(email, request))
        .catch((error: unknown) => log.error('mail failed', describeError(error)));
      void sending.add(sent);
    },
    /** @returns the e-mail address that the code was sent to. */
    verify: (code: string) => accountOf(code).email,
    async confirm(code: string, newPassword: string, address: string) {
      const { uid } = accountOf(code);
      checkPassword(newPassword);
      const password = await passwords.hash(newPassword, address);
      const change = (now: Account) => {
        // The check is repeated inside the serialized change: of two concurrent uses of a code, the second is refused.
        accountOf(code);
        return { ...withPassword(now, password, nowMs()), emailVerified: true };
      };
      const missing = 'INVALID_OOB_CODE';
      return (await store.change(uid, change, { isRevoking: true, missing })).email;
    },
    /** Resolves when the mails requested so far are written. */
    settled: () => sending.settled(),
  };
}

const resetMail = (request: ResetRequest, code: string): Mail => ({
  to: request.email,
  subject: 'Choose a new password',
  lines: [
    'Hello,',
    '',
    `somebody, hopefully you, asked for a new password for ${request.email}.`,
    'To choose one, follow this link:',
    '',
    linkOf(request, code),
    '',
    'It works once, and for 60 minutes.',
    'If it was not you, there is nothing to do: your password stays as it is.',
  ],
});

/** Returns the link, with the parameters of hosted action links. */
function linkOf({ origin, apiKey, continueUrl }: ResetRequest, code: string): string {
  const link = new URL(resetPage, origin);
  link.searchParams.set('mode', 'resetPassword');
  link.searchParams.set('oobCode', code);
  link.searchParams.set('apiKey', apiKey);
  if (continueUrl !== '') link.searchParams.set('continueUrl', continueUrl);
  link.searchParams.set('lang', 'en');
  return link.href;
}
