import { useState } from 'react';
import { passwordRule } from '../../../../schemas/copy/form-copy.ts';
import { PasswordField } from '../../../ui/fields/password-field.tsx';
import type { FormField } from './use-form-fields.ts';

export interface NewPasswordFieldsProps {
  readonly password: FormField;
  readonly confirmed: FormField;
}

/** The fields of a new password, typed twice; one button reveals both. */
export function NewPasswordFields({ password, confirmed }: NewPasswordFieldsProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <PasswordField
        label="Password"
        hint={passwordRule}
        autoComplete="new-password"
        isShown={isShown}
        onToggle={() => setIsShown(!isShown)}
        {...password}
      />
      <PasswordField
        label="Confirm Password"
        autoComplete="new-password"
        isShown={isShown}
        {...confirmed}
      />
    </>
  );
}
