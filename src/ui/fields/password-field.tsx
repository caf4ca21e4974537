import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { IconButton } from '../icon-button.tsx';
import { TextField, type TextFieldProps } from './text-field.tsx';

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type'> {
  readonly isShown: boolean;
  /** Toggles the visibility; missing if another field of the form has the button for both. */
  readonly onToggle?: () => void;
}

export function PasswordField({ isShown, onToggle, ...rest }: PasswordFieldProps) {
  return (
    <TextField
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      end={
        onToggle !== undefined && (
          <IconButton
            label="Show password"
            icon={isShown ? EyeOff : Eye}
            aria-pressed={isShown}
            onClick={onToggle}
          />
        )
      }
      {...rest}
    />
  );
}
