import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import {
  newPasswordSchema,
  registerFormSchema,
  resetRequestSchema,
  setPasswordFormSchema,
  signInFormSchema,
} from './account.ts';
import { passwordMaxLength } from '../limits.ts';
import {
  confirmPasswordRequired,
  emailRequired,
  passwordRequired,
  passwordRule,
  passwordsDiffer,
  passwordTooLong,
} from '../copy/form-copy.ts';

type Form =
  | typeof registerFormSchema
  | typeof signInFormSchema
  | typeof resetRequestSchema
  | typeof setPasswordFormSchema;

function messages(schema: Form, form: object) {
  const result = v.safeParse(schema, form);
  return result.success ? {} : v.flatten(result.issues).nested;
}

describe('the form to register', () => {
  const good = { email: 'a@b.c', password: 'Abc12!', confirmPassword: 'Abc12!' };

  it('takes a good one and trims the e-mail', () => {
    const parsed = v.parse(registerFormSchema, { ...good, email: ' a@b.c ' });
    expect(parsed.email).toBe('a@b.c');
  });

  it('asks for each field', () => {
    const empty = { email: ' ', password: '', confirmPassword: '' };
    expect(messages(registerFormSchema, empty)).toMatchObject({
      email: [emailRequired],
      password: [passwordRequired, passwordRule],
      confirmPassword: [confirmPasswordRequired],
    });
  });

  it('wants both passwords equal', () => {
    expect(messages(registerFormSchema, { ...good, confirmPassword: 'Abc12?' })).toEqual({
      confirmPassword: [passwordsDiffer],
    });
  });
});

describe('a new password', () => {
  it.each(['Abc12!', 'ÄÖü12#', 'Zz9$$$', 'aB3_cd'])('takes %s', (password) => {
    expect(v.safeParse(newPasswordSchema, password).success).toBe(true);
  });

  it.each(['Ab12!', 'abc12!', 'ABC12!', 'Abcde!', 'Abc123', 'Abc12 '])('refuses %s', (password) => {
    const result = v.safeParse(newPasswordSchema, password);
    expect(result.issues?.map(({ message }) => message)).toContain(passwordRule);
  });
});

it('a new password is no longer than the provider takes', () => {
  const longest = `Ab1!${'x'.repeat(passwordMaxLength - 4)}`;
  expect(v.safeParse(newPasswordSchema, longest).success).toBe(true);
  const result = v.safeParse(newPasswordSchema, `${longest}x`);
  expect(result.issues?.map(({ message }) => message)).toEqual([passwordTooLong]);
});

describe('the form to sign in', () => {
  it('asks for both fields and knows no rule for an old password', () => {
    expect(messages(signInFormSchema, { email: '', password: '' })).toEqual({
      email: [emailRequired],
      password: [passwordRequired],
    });
    expect(messages(signInFormSchema, { email: 'a@b.c', password: 'x' })).toEqual({});
  });
});

describe('the form to ask for a new password', () => {
  it('needs an e-mail, and trims it', () => {
    expect(v.parse(resetRequestSchema, { email: ' a@b.c ' })).toEqual({ email: 'a@b.c' });
    expect(messages(resetRequestSchema, { email: ' ' })).toEqual({ email: [emailRequired] });
    expect(messages(resetRequestSchema, { email: null })).toEqual({ email: [emailRequired] });
  });
});

describe('the form to set a new password', () => {
  it('wants a good one twice', () => {
    const good = { password: 'Abc12!', confirmPassword: 'Abc12!' };
    expect(messages(setPasswordFormSchema, good)).toEqual({});
    expect(messages(setPasswordFormSchema, { ...good, confirmPassword: 'Abc12?' })).toEqual({
      confirmPassword: [passwordsDiffer],
    });
    expect(messages(setPasswordFormSchema, { password: 'abc', confirmPassword: '' })).toEqual({
      password: [passwordRule],
      confirmPassword: [confirmPasswordRequired, passwordsDiffer],
    });
  });
});
