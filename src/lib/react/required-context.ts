import { createContext, useContext, type Provider } from 'react';

/** Creates a context that must be provided. Reading it outside its provider is a defect, and throws. */
export function createRequiredContext<T>(name: string): {
  readonly Provider: Provider<T | null>;
  readonly useValue: () => T;
  /** Returns null without a value, for the one place that decides what to show then. */
  readonly useOptionalValue: () => T | null;
} {
  const Context = createContext<T | null>(null);
  Context.displayName = name;
  const useOptionalValue = (): T | null => useContext(Context);
  const useValue = (): T => {
    const value = useContext(Context);
    if (value === null) throw new Error(`${name} is not provided here`);
    return value;
  };
  return { Provider: Context.Provider, useValue, useOptionalValue };
}
