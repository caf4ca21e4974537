import { Link } from '@tanstack/react-router';
import { useState, type SyntheticEvent } from 'react';
import { registerFormSchema } from '../../../schemas/account.ts';
import { useSession } from '../../platform/session.ts';
import { Button } from '../../ui/button.tsx';
import { textLinkStyle } from '../../ui/button-style.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AccountPage } from './account-page.tsx';
import { KeepSignedIn } from './keep-signed-in.tsx';
import { useAccountRequest } from './use-account-request.ts';
import { useFormFields } from './use-form-fields.ts';

const fieldNames = ['email', 'password', 'confirmPassword'] as const;

export function RegisterPage() {
  const { auth } = useSession();
  const { isBusy, error, run } = useAccountRequest();
  const [keepSignedIn, setKeepSignedIn] = useState(true);
  const { formRef, field, check } = useFormFields(registerFormSchema, fieldNames);

  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    const form = check();
    if (form === null || isBusy) return;
    const { email, password } = form;
    await run(() => auth.register({ email, password, keepSignedIn }));
  };

  return (
    <AccountPage heading="Create your account">
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
          autoComplete="new-password"
          {...field('password')}
        />
        <TextField
          label="Confirm Password"
          type="password"
          autoComplete="new-password"
          {...field('confirmPassword')}
        />
        <KeepSignedIn isKept={keepSignedIn} onChange={setKeepSignedIn} />
        <Button kind="primary" type="submit" aria-disabled={isBusy} className="w-full">
          {isBusy ? 'Registering...' : 'Sign up'}
        </Button>
        <p className="flex items-center gap-2">
          Been here before?
          <Link to="/auth/login" className={textLinkStyle}>
            Sign in
          </Link>
        </p>
      </form>
    </AccountPage>
  );
}
