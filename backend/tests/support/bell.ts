/** Wakes the tasks that wait for a change. */
export interface Bell {
  ring(): void;
  /** Resolves once the condition holds, which is checked now and at each ring. */
  until(condition: () => boolean): Promise<void>;
}

export function createBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const look of waiting) look();
    },
    until: (condition) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
