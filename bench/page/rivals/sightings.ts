/** Waits for ids at the head of a watched list. */
export interface Sightings {
  readonly see: (id: string | undefined) => void;
  /** Resolves when the id is first; called before the note is written. */
  readonly of: (id: string) => Promise<void>;
}

export function createSightings(): Sightings {
  const waiting = new Map<string, () => void>();
  return {
    see: (id) => {
      if (id === undefined) return;
      waiting.get(id)?.();
      waiting.delete(id);
    },
    of: (id) => new Promise((resolve) => waiting.set(id, resolve)),
  };
}
