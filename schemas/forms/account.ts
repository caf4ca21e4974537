import * as v from 'valibot';
import { passwordMaxLength, passwordMinLength } from '../limits.ts';
import {
  confirmPasswordRequired,
  emailRequired,
  notAnEmail,
  passwordRequired,
  passwordRule,
  passwordsDiffer,
  passwordTooLong,
} from '../copy/form-copy.ts';

/** The server knows more about addresses; this refuses what no server takes, beside the field. */
const emailSchema = v.pipe(
  v.string(emailRequired),
  v.trim(),
  v.minLength(1, emailRequired),
  v.regex(/^([^\s@]+@[^\s@]+)?$/, notAnEmail),
);

/** A password at sign-in. It is only required, since an old account may not satisfy today's rules. */
const existingPasswordSchema = v.pipe(v.string(passwordRequired), v.minLength(1, passwordRequired));

export const newPasswordSchema = v.pipe(
  existingPasswordSchema,
  v.maxLength(passwordMaxLength, passwordTooLong),
  v.check(
    (password) =>
      password.length >= passwordMinLength &&
      /\p{Lu}/u.test(password) &&
      /\p{Ll}/u.test(password) &&
      /\d/.test(password) &&
      /[^\p{L}\d\s]/u.test(password),
    passwordRule,
  ),
);

export const signInFormSchema = v.object({
  email: emailSchema,
  password: existingPasswordSchema,
});

const confirmedSchema = v.pipe(v.string(), v.minLength(1, confirmPasswordRequired));

interface ConfirmedPassword {
  readonly password: string;
  readonly confirmPassword: string;
}

function isConfirmed(form: ConfirmedPassword): boolean {
  return form.password === form.confirmPassword;
}

export const registerFormSchema = v.pipe(
  v.object({ email: emailSchema, password: newPasswordSchema, confirmPassword: confirmedSchema }),
  v.forward(v.partialCheck([['password'], ['confirmPassword']], isConfirmed, passwordsDiffer), [
    'confirmPassword',
  ]),
);

export const resetRequestSchema = v.object({ email: emailSchema });

export const setPasswordFormSchema = v.pipe(
  v.object({ password: newPasswordSchema, confirmPassword: confirmedSchema }),
  v.forward(v.partialCheck([['password'], ['confirmPassword']], isConfirmed, passwordsDiffer), [
    'confirmPassword',
  ]),
);

/** The signed-in user, as the screens need it. */
export interface SignedInUser {
  readonly uid: string;
  readonly email: string | null;
  readonly displayName: string | null;
}

/** The states of an account request, in the specification's words. */
export type RequestStatus = 'idle' | 'loading' | 'succeeded' | 'failed';
