/**
 * All content that the devices acknowledged to their owner. Each text, recording and picture is a unique token, so that
 * it can be found wherever it ends up. The actions of an owner claim and release tokens as follows:
 *
 * - A token is owed from the moment a command that stored it resolves.
 * - It is no longer owed once the owner has replaced, deleted or discarded it where they could see it. An interrupted
 *   command may have done so, so its tokens are released before it begins.
 */
export interface CommandLedger {
  newToken(kind: TokenKind): string;
  /** Claims the tokens, and ignores other texts, such as transcripts. */
  claim(tokens: Iterable<string>): void;
  release(tokens: Iterable<string>): void;
  owed(): readonly string[];
}

/**
 * The kind of a token. The number in a recording's token is its length in milliseconds, which its entry keeps under any
 * id.
 */
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
