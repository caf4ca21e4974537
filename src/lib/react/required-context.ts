import { createContext, useContext, type Provider } from 'react';

/** A context that must be provided: reading it outside its provider is a defect, and says so. */
export function createRequiredContext<T>(name: string): {
  readonly Provider: Provider<T | null>;
  readonly useValue: () => T;
  /** For the one place that decides what is shown until there is a value. */
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
