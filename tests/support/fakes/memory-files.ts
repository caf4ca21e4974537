import type { CleanupFiles } from '../../../functions/src/account-cleanup/ports.ts';

/** A file store that holds names only. */
export interface MemoryFiles extends CleanupFiles {
  readonly names: Set<string>;
}

export function createMemoryFiles(): MemoryFiles {
  const names = new Set<string>();
  return {
    names,
    find: async (prefix, limit) =>
      [...names].filter((name) => name.startsWith(prefix)).slice(0, limit),
    delete: async (deleted) => deleted.forEach((name) => names.delete(name)),
  };
}
