import { CheckBox } from '../../ui/check-box.tsx';

export interface KeepSignedInProps {
  readonly isKept: boolean;
  readonly onChange: (isKept: boolean) => void;
}

export function KeepSignedIn({ isKept, onChange }: KeepSignedInProps) {
  return (
    <CheckBox
      label="Keep me signed in"
      hint="Without it you are signed out when the browser closes, and nothing syncs in the background."
      checked={isKept}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
