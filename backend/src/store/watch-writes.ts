import type { KeyValueStore } from './key-value-store.ts';

export interface WatchedStore extends KeyValueStore {
  /** False after a failed write: what the disk holds is unknown until the store is opened again. */
  isSound(): boolean;
}

/** @param onFailure is told of the first write that fails. */
export function watchWrites(
  store: KeyValueStore,
  onFailure: (error: unknown) => void,
): WatchedStore {
  let isSound = true;
  return {
    ...store,
    isSound: () => isSound,
    async write(operations, options) {
      try {
        await store.write(operations, options);
      } catch (error) {
        if (isSound) {
          isSound = false;
          onFailure(error);
        }
        throw error;
      }
    },
  };
}
