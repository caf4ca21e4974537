import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { resetRequestSchema } from '../../../../schemas/forms/account.ts';
import { resetEmailSent } from '../../../../schemas/copy/form-copy.ts';
import { AuthError } from '../../../platform/auth/auth.ts';
import { useSession } from '../../../platform/auth/session.ts';
import { Button } from '../../../ui/button.tsx';
import { textLinkStyle } from '../../../ui/button-style.ts';
import { SuccessNote } from '../../../ui/success-note.tsx';
import { AccountPage } from '../account-page.tsx';
import { AccountForm } from './account-form.tsx';
import { EmailField } from './email-field.tsx';
import { knownEmailAtom } from './typed-email.ts';
import { useFormFields } from './use-form-fields.ts';
import { usePasswordReset } from './use-password-reset.ts';

const fieldNames = ['email'] as const;

/** Hides that an account does not exist, which a project without email enumeration protection reports. */
async function hideUnknownEmail(request: Promise<void>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof AuthError && error.code === 'auth/user-not-found')) throw error;
  }
}

export function ResetPasswordPage() {
  const { auth } = useSession();
  const { status, message, run, forget } = usePasswordReset('reset');
  const initial = { email: useAtomValue(knownEmailAtom) };
  const { formRef, field, check } = useFormFields(resetRequestSchema, fieldNames, initial);
  const isBusy = status === 'loading';

  const submit = async (): Promise<void> => {
    const form = check();
    if (form === null) return forget();
    if (!isBusy)
      await run(() => hideUnknownEmail(auth.sendPasswordReset(form.email)), resetEmailSent);
  };

  return (
    <AccountPage heading="Reset your password">
      <AccountForm
        formRef={formRef}
        problem={status === 'failed' ? message : null}
        onSubmit={submit}
      >
        <p>Tell us your email, and we send you a link with which you choose a new password.</p>
        <SuccessNote>{status === 'succeeded' && message}</SuccessNote>
        {status === 'succeeded' && (
          <p className="text-ink-soft">
            If there is an account with this email, the link arrives within minutes and works for an
            hour. Look among unwanted mail too.
          </p>
        )}
        <EmailField field={field('email')} />
        <Button kind="primary" type="submit" aria-disabled={isBusy} className="w-full">
          {isBusy ? 'Sending...' : 'Send reset link'}
        </Button>
        <Link to="/auth/login" replace className={textLinkStyle}>
          Back to sign in
        </Link>
      </AccountForm>
    </AccountPage>
  );
}
