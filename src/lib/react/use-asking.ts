import { useState } from 'react';

export interface Asking {
  /** The button has been pressed once, and asks whether that was meant. */
  readonly isAsking: boolean;
  readonly handlers: { readonly onClick: () => void; readonly onBlur: () => void };
}

/** A button that asks once more, on the same spot, before something goes that is nowhere else. */
export function useAsking(onConfirm: () => void): Asking {
  const [isAsking, setIsAsking] = useState(false);
  const onClick = (): void => {
    if (isAsking) onConfirm();
    setIsAsking(!isAsking);
  };
  return { isAsking, handlers: { onClick, onBlur: () => setIsAsking(false) } };
}
