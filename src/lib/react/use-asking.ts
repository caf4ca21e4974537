import { useState, type KeyboardEvent } from 'react';

type KeyPress = Pick<KeyboardEvent<HTMLElement>, 'key' | 'repeat' | 'preventDefault'>;

export interface Asking {
  /** Whether the button was pressed once, and asks for a confirmation. */
  readonly isAsking: boolean;
  readonly handlers: {
    readonly onClick: (event: { readonly detail: number }) => void;
    readonly onKeyDown: (event: KeyPress) => void;
    readonly onBlur: () => void;
  };
}

function dropRepeated(event: KeyPress): void {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
}

/**
 * Makes a button ask for a second press in its place, before an action that cannot be undone. The second tap of a double
 * tap is none, nor is the repetition of a key that is held, because its owner has not read the question.
 */
export function useAsking(onConfirm: () => void): Asking {
  const [isAsking, setIsAsking] = useState(false);
  const onClick = ({ detail }: { readonly detail: number }): void => {
    if (detail > 1) return;
    if (isAsking) onConfirm();
    setIsAsking(!isAsking);
  };
  return {
    isAsking,
    handlers: { onClick, onKeyDown: dropRepeated, onBlur: () => setIsAsking(false) },
  };
}
