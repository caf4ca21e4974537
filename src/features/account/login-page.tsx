import { Link } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { signInFormSchema } from '../../../schemas/account.ts';
import { useSession } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { textLinkStyle } from '../../ui/button-style.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AccountPage } from './account-page.tsx';
import { KeepSignedIn } from './keep-signed-in.tsx';
import { useAccountRequest } from './use-account-request.ts';
import { useFormFields } from './use-form-fields.ts';

export function LoginPage() {
  const { auth } = useSession();
  const { isBusy, error, run } = useAccountRequest();
  const [keepSignedIn, setKeepSignedIn] = useState(true);
  const { formRef, field, check } = useFormFields(signInFormSchema, ['email', 'password']);

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const credentials = check();
    if (credentials === null || isBusy) return;
    await run(() => auth.signIn({ ...credentials, keepSignedIn }));
  };

  return (
    <AccountPage heading="Sign in">
      <form
        ref={formRef}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => void submit(event)}
      >
        {error !== null && <ProblemNote>{error}</ProblemNote>}
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          {...field('password')}
        />
        <KeepSignedIn isKept={keepSignedIn} onChange={setKeepSignedIn} />
        <Button kind="primary" type="submit" aria-disabled={isBusy} className="w-full">
          {isBusy ? 'Logging in...' : 'Sign in'}
        </Button>
        <p className="flex items-center gap-2">
          New here?
          <Link to="/auth/register" className={textLinkStyle}>
            Sign up
          </Link>
        </p>
      </form>
    </AccountPage>
  );
}
