import { useSetAtom } from 'jotai';
import type { ChangeEvent } from 'react';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { typedEmailAtom } from './typed-email.ts';
import type { FormField } from './use-form-fields.ts';

/** An e-mail field. Password managers look for "username", even where that is an e-mail address. */
export function EmailField({ field }: { readonly field: FormField }) {
  const setTypedEmail = useSetAtom(typedEmailAtom);
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    field.onChange(event);
    setTypedEmail(event.target.value);
  };
  return (
    <TextField
      label="Email"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      dir="auto"
      {...field}
      onChange={onChange}
    />
  );
}
