import { useState } from 'react';

export interface Asking {
  /** Whether the button was pressed once, and asks for a confirmation. */
  readonly isAsking: boolean;
  readonly handlers: {
    readonly onClick: (event: { readonly detail: number }) => void;
    readonly onBlur: () => void;
  };
}

/**
 * Makes a button ask for a second press in its place, before an action that cannot be undone. The second tap of a double
 * tap is none, because its owner has not read the question.
 */
export function useAsking(onConfirm: () => void): Asking {
  const [isAsking, setIsAsking] = useState(false);
  const onClick = ({ detail }: { readonly detail: number }): void => {
    if (detail > 1) return;
    if (isAsking) onConfirm();
    setIsAsking(!isAsking);
  };
  return { isAsking, handlers: { onClick, onBlur: () => setIsAsking(false) } };
}
