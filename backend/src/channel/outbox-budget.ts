/** Counts what all sessions together keep of and for their clients, and says when it is too much. */
export interface OutboxBudget {
  add(bytes: number): void;
}

export function createOutboxBudget(maxBytes: number, onExceeded: () => void): OutboxBudget {
  let bytes = 0;
  return {
    add(more) {
      bytes += more;
      if (more > 0 && bytes > maxBytes) onExceeded();
    },
  };
}
