import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import { signInFormSchema } from '../../../../schemas/forms/account.ts';
import { useSession } from '../../../platform/auth/session.ts';
import { Button } from '../../../ui/button.tsx';
import { textLinkStyle } from '../../../ui/button-style.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import { AccountPage } from '../account-page.tsx';
import { AccountForm } from './account-form.tsx';
import { EmailField } from './email-field.tsx';
import { GoogleButton } from './google-button.tsx';
import { KeepSignedIn, keepSignedInAtom } from './keep-signed-in.tsx';
import { forgetOriginOfPet } from './origin.ts';
import { knownEmailAtom } from './typed-email.ts';
import { useAccountRequest } from './use-account-request.ts';
import { useFormFields } from './use-form-fields.ts';

const fieldNames = ['email', 'password'] as const;

export function LoginPage() {
  const { auth } = useSession();
  const { isBusy, error, run, forget } = useAccountRequest('sign-in');
  const keepSignedIn = useAtomValue(keepSignedInAtom);
  const [isShown, setIsShown] = useState(false);
  const initial = { email: useAtomValue(knownEmailAtom) };
  const { formRef, field, check } = useFormFields(signInFormSchema, fieldNames, initial);

  const submit = async (): Promise<void> => {
    const credentials = check();
    if (credentials === null) return forget();
    if (isBusy) return;
    await run(() => auth.signIn({ ...credentials, keepSignedIn }));
  };

  const signInWithGoogle = async (): Promise<void> => {
    if (isBusy) return;
    await run((release) =>
      auth.signInWithGoogle(
        { keepSignedIn },
        { onClosed: release, onNewAccount: forgetOriginOfPet },
      ),
    );
  };

  return (
    <AccountPage heading="Sign in">
      <AccountForm formRef={formRef} problem={error} onSubmit={submit}>
        <EmailField field={field('email')} />
        <div>
          <PasswordField
            label="Password"
            autoComplete="current-password"
            isShown={isShown}
            onToggle={() => setIsShown(!isShown)}
            {...field('password')}
          />
          <Link to="/auth/reset-password" className={textLinkStyle}>
            Forgot Password
          </Link>
        </div>
        <KeepSignedIn />
        <Button kind="primary" type="submit" aria-disabled={isBusy} className="w-full">
          {isBusy ? 'Logging in...' : 'Sign in'}
        </Button>
        <GoogleButton isBusy={isBusy} onPress={() => void signInWithGoogle()} />
        <p className="flex flex-wrap items-center gap-x-2">
          New here?
          <Link to="/auth/register" className={textLinkStyle}>
            Sign up
          </Link>
        </p>
      </AccountForm>
    </AccountPage>
  );
}
