import { useEffect, useState } from 'react';

interface Latest<Args extends readonly unknown[], Result> {
  readonly call: (...args: Args) => Result;
  readonly set: (handler: (...args: Args) => Result) => void;
}

function createLatest<Args extends readonly unknown[], Result>(
  first: (...args: Args) => Result,
): Latest<Args, Result> {
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
export function useLatest<Args extends readonly unknown[], Result>(
  handler: (...args: Args) => Result,
): (...args: Args) => Result {
  const [latest] = useState(() => createLatest(handler));
  useEffect(() => latest.set(handler));
  return latest.call;
}
