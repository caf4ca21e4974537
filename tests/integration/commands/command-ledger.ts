/**
 * Everything an owner made, as the devices acknowledged it. Each text, recording and picture is a token unlike any other, so
 * that it can be found again wherever it ends up.
 *
 * - A token is owed from the moment a command that stored it resolves.
 * - It is owed no longer once the owner replaced, deleted or discarded it where they could see it. A command that was cut
 *   off may have done so, so its tokens are released before it begins.
 */
export interface CommandLedger {
  newToken(kind: TokenKind): string;
  /** Leaves out what is no token, such as a text that a machine made. */
  claim(tokens: Iterable<string>): void;
  release(tokens: Iterable<string>): void;
  owed(): readonly string[];
}

/** The number of a recording is its length in milliseconds, which stays with its entry under whatever id. */
export type TokenKind = 'text' | 'sound' | 'picture';

const firstSoundMs = 1_000;

export function createCommandLedger(): CommandLedger {
  const made = new Set<string>();
  const owed = new Set<string>();
  let count = 0;
  return {
    newToken: (kind) => {
      count += 1;
      const token = `${kind}-${String(firstSoundMs + count)}`;
      made.add(token);
      return token;
    },
    claim: (tokens) => {
      for (const token of tokens) if (made.has(token)) owed.add(token);
    },
    release: (tokens) => {
      for (const token of tokens) owed.delete(token);
    },
    owed: () => [...owed],
  };
}

export function soundToken(durationMs: unknown): string {
  return `sound-${String(durationMs)}`;
}

export function durationOf(token: string): number {
  return Number(token.split('-').at(-1));
}
