import { useState } from 'react';

export interface Asking {
  /** Whether the button was pressed once, and asks for a confirmation. */
  readonly isAsking: boolean;
  readonly handlers: { readonly onClick: () => void; readonly onBlur: () => void };
}

/** Makes a button ask for a second press in its place, before an action that cannot be undone. */
export function useAsking(onConfirm: () => void): Asking {
  const [isAsking, setIsAsking] = useState(false);
  const onClick = (): void => {
    if (isAsking) onConfirm();
    setIsAsking(!isAsking);
  };
  return { isAsking, handlers: { onClick, onBlur: () => setIsAsking(false) } };
}
