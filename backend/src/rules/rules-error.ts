/** Counted from 1; columns in UTF-16 code units, as editors count them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A rules file that cannot be used: where, and one sentence for its author. */
export class RulesError extends Error {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly sentence: string;

  constructor(file: string, at: Position, sentence: string) {
    super(`${file}:${at.line}:${at.column}: ${sentence}`);
    this.name = 'RulesError';
    this.file = file;
    this.line = at.line;
    this.column = at.column;
    this.sentence = sentence;
  }
}

/** Throws a RulesError. */
export type Fail = (at: Position, sentence: string) => never;

export const failIn =
  (file: string): Fail =>
  (at, sentence) => {
    throw new RulesError(file, at, sentence);
  };
