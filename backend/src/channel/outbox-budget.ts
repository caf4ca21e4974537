/** Counts what all sessions together keep of and for their clients, and says when it is too much. */
export interface OutboxBudget {
  add(chars: number): void;
}

export function createOutboxBudget(maxChars: number, onExceeded: () => void): OutboxBudget {
  let chars = 0;
  return {
    add(more) {
      chars += more;
      if (more > 0 && chars > maxChars) onExceeded();
    },
  };
}
