import { ClassicLevel } from 'classic-level';

/**
 * - `write` is atomic; a durable write is on the disk before it resolves, also after a loss of power.
 * - One process per folder: a second one gets a `StoreError` with the code `locked`.
 */
export interface KeyValueStore {
  get(key: string): Promise<string | undefined>;
  entries(prefix: string): AsyncIterable<readonly [key: string, value: string]>;
  write(operations: readonly StoreOperation[], options?: { durable: boolean }): Promise<void>;
  clear(): Promise<void>;
  close(): Promise<void>;
}

export type StoreOperation =
  | { readonly type: 'put'; readonly key: string; readonly value: string }
  | { readonly type: 'del'; readonly key: string };

export class StoreError extends Error {
  readonly code: 'locked' | 'unusable';

  constructor(code: 'locked' | 'unusable', message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export async function openKeyValueStore(folder: string): Promise<KeyValueStore> {
  const level = new ClassicLevel(folder);
  try {
    await level.open();
  } catch (error) {
    throw toStoreError(error, folder);
  }
  return {
    get: (key) => level.get(key),
    entries: (prefix) => level.iterator({ gte: prefix, lt: afterPrefix(prefix) }),
    write: (operations, options = { durable: true }) =>
      level.batch([...operations], { sync: options.durable }),
    clear: () => level.clear(),
    close: () => level.close(),
  };
}

/** The first key after all keys of the prefix; prefixes end in a plain ASCII character. */
function afterPrefix(prefix: string): string {
  const last = prefix.length - 1;
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1);
}

function toStoreError(error: unknown, folder: string): StoreError {
  if (causeCode(error) === 'LEVEL_LOCKED') {
    return new StoreError('locked', `Another process is using the data folder ${folder}.`, {
      cause: error,
    });
  }
  return new StoreError('unusable', `The data folder ${folder} cannot be opened.`, {
    cause: error,
  });
}

function causeCode(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause ? cause.code : undefined;
}
