import { useState, type MouseEvent } from 'react';
import { isRepeatedTap } from '../dom/repeated-presses.ts';

export interface Asking {
  /** Whether the button was pressed once, and asks for a confirmation. */
  readonly isAsking: boolean;
  readonly handlers: {
    readonly onClick: (event: MouseEvent<HTMLElement>) => void;
    readonly onBlur: () => void;
  };
}

/**
 * Makes a button ask for a second press in its place, before an action that cannot be undone. The second tap of a double
 * tap is none, because its owner has not read the question.
 */
export function useAsking(onConfirm: () => void): Asking {
  const [isAsking, setIsAsking] = useState(false);
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    if (isRepeatedTap(event)) return;
    // Safari does not focus a button that is pressed, and one without the focus would ask for ever.
    event.currentTarget.focus();
    if (isAsking) onConfirm();
    setIsAsking(!isAsking);
  };
  return { isAsking, handlers: { onClick, onBlur: () => setIsAsking(false) } };
}
