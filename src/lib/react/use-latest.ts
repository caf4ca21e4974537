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
 * The same function for good, which calls the handler of the last render: for what outlives renders, and the component
 * too.
 */
export function useLatest<Args extends readonly unknown[]>(
  handler: (...args: Args) => void,
): (...args: Args) => void {
  const [latest] = useState(() => createLatest(handler));
  useEffect(() => latest.set(handler));
  return latest.call;
}
