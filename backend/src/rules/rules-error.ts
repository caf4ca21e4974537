/** A position, counted from 1; columns are in UTF-16 code units, as in editors. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** An error in a rules file, with its position and one sentence for the author. */
export class RulesError extends Error {
  readonly line: number;
  readonly column: number;
  readonly sentence: string;

  constructor(file: string, at: Position, sentence: string) {
    super(`${file}:${at.line}:${at.column}: ${sentence}`);
    this.name = 'RulesError';
    this.line = at.line;
    this.column = at.column;
    this.sentence = sentence;
  }
}
