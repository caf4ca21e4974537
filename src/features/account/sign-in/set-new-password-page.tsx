import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useAtomValue } from 'jotai';
import { useEffect, useEffectEvent, useState } from 'react';
import { setPasswordFormSchema } from '../../../../schemas/forms/account.ts';
import { resetCodeMissing } from '../../../../schemas/copy/form-copy.ts';
import { useSession } from '../../../platform/auth/session.ts';
import { clockAtom } from '../../../platform/system-clock.ts';
import { Button } from '../../../ui/button.tsx';
import { textLinkStyle } from '../../../ui/button-style.ts';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { SuccessNote } from '../../../ui/success-note.tsx';
import { AccountPage } from '../account-page.tsx';
import { AccountForm } from './account-form.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';
import { useFormFields } from './use-form-fields.ts';
import { usePasswordReset } from './use-password-reset.ts';

const fieldNames = ['password', 'confirmPassword'] as const;
const backToLoginMs = 3_000;
const passwordSet = 'Your new password is set. You are led to the sign-in page.';

/** Returns the code in the address of this page. While the page is left, the address is already another page's. */
function useResetCode(): string {
  const { pathname, searchStr } = useLocation();
  const [own, setOwn] = useState({ pathname, searchStr });
  if (pathname === own.pathname && searchStr !== own.searchStr) setOwn({ pathname, searchStr });
  return new URLSearchParams(own.searchStr).get('oobCode')?.trim() ?? '';
}

export function SetNewPasswordPage() {
  const code = useResetCode();
  return (
    <AccountPage heading="Set a new password">
      {code === '' ? (
        <ProblemNote>{resetCodeMissing}</ProblemNote>
      ) : (
        <NewPasswordForm code={code} />
      )}
      <p className="mt-5">
        <Link to="/auth/reset-password" replace className={textLinkStyle}>
          Ask for a new link
        </Link>
      </p>
    </AccountPage>
  );
}

function useBackToLogin(isDone: boolean): void {
  const clock = useAtomValue(clockAtom);
  const navigate = useNavigate();
  const leave = useEffectEvent(() => void navigate({ to: '/auth/login', replace: true }));
  useEffect(
    () => (isDone ? clock.after(backToLoginMs, () => leave()) : undefined),
    [isDone, clock],
  );
}

function NewPasswordForm({ code }: { readonly code: string }) {
  const { auth } = useSession();
  const { status, message, run, forget } = usePasswordReset('set-password');
  const { formRef, field, check } = useFormFields(setPasswordFormSchema, fieldNames);
  const isBusy = status === 'loading';
  const isDone = status === 'succeeded';
  useBackToLogin(isDone);

  const submit = async (): Promise<void> => {
    const form = check();
    if (form === null) return forget();
    if (isBusy || isDone) return;
    await run(() => auth.confirmPasswordReset({ code, password: form.password }), passwordSet);
  };

  return (
    <AccountForm formRef={formRef} problem={status === 'failed' ? message : null} onSubmit={submit}>
      <SuccessNote>{isDone && message}</SuccessNote>
      <NewPasswordFields password={field('password')} confirmed={field('confirmPassword')} />
      <Button kind="primary" type="submit" aria-disabled={isBusy || isDone} className="w-full">
        {isBusy ? 'Saving...' : 'Set password'}
      </Button>
    </AccountForm>
  );
}
