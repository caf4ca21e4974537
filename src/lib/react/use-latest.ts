import { useEffect, useState } from 'react';

interface Latest<Args extends readonly unknown[]> {
  readonly call: (...args: Args) => void;
  readonly set: (handler: (...args: Args) => void) => void;
}

function createLatest<Args extends readonly unknown[]>(
  first: (...args: Args) => void,
): Latest<Args> {
  let handler = first;
  return {
    call: (...args) => handler(...args),
    set: (next) => {
      handler = next;
    },
  };
}

/**
 * Returns a function that never changes and calls the handler of the last render, for callers that outlive renders or
 * the component.
 */
export function useLatest<Args extends readonly unknown[]>(
  handler: (...args: Args) => void,
): (...args: Args) => void {
  const [latest] = useState(() => createLatest(handler));
  useEffect(() => latest.set(handler));
  return latest.call;
}
