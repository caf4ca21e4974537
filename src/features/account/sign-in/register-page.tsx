import { Link } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { registerFormSchema } from '../../../../schemas/forms/account.ts';
import { useSession } from '../../../platform/auth/session.ts';
import { Button } from '../../../ui/button.tsx';
import { textLinkStyle } from '../../../ui/button-style.ts';
import { AccountPage } from '../account-page.tsx';
import { AccountForm } from './account-form.tsx';
import { EmailField } from './email-field.tsx';
import { KeepSignedIn, keepSignedInAtom } from './keep-signed-in.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { forgetOriginOfPet } from './origin.ts';
import { typedEmailAtom } from './typed-email.ts';
import { useAccountRequest } from './use-account-request.ts';
import { useFormFields } from './use-form-fields.ts';

const fieldNames = ['email', 'password', 'confirmPassword'] as const;

export function RegisterPage() {
  const { auth } = useSession();
  const { isBusy, error, run, forget } = useAccountRequest('register');
  const keepSignedIn = useAtomValue(keepSignedInAtom);
  const initial = { email: useAtomValue(typedEmailAtom) };
  const { formRef, field, check } = useFormFields(registerFormSchema, fieldNames, initial);

  const submit = async (): Promise<void> => {
    const form = check();
    if (form === null) return forget();
    if (isBusy) return;
    const { email, password } = form;
    await run(async () => {
      const user = await auth.register({ email, password, keepSignedIn });
      forgetOriginOfPet();
      return user;
    });
  };

  return (
    <AccountPage heading="Create your account">
      <AccountForm formRef={formRef} problem={error} onSubmit={submit}>
        <EmailField field={field('email')} />
        <NewPasswordFields password={field('password')} confirmed={field('confirmPassword')} />
        <KeepSignedIn />
        <Button kind="primary" type="submit" aria-disabled={isBusy} className="w-full">
          {isBusy ? 'Registering...' : 'Sign up'}
        </Button>
        <p className="flex flex-wrap items-center gap-x-2">
          Been here before?
          <Link to="/auth/login" replace className={textLinkStyle}>
            Sign in
          </Link>
        </p>
      </AccountForm>
    </AccountPage>
  );
}
