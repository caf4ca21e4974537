/**
 * The errors of evaluating an expression.
 *
 * - EvaluationError denies the allow it happens in, unless `&&` or `||` is decided by its other side.
 * - UnknownError is an EvaluationError: the query does not pin the value. So `&&` and `||` are those of three-valued
 *   logic, and only what is definitely true allows.
 * - LimitError denies the whole request; nothing absorbs it.
 */
export class EvaluationError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'EvaluationError';
  }
}

export class UnknownError extends EvaluationError {
  constructor(what: string) {
    super(`The query does not say ${what}.`);
    this.name = 'UnknownError';
  }
}

export class LimitError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'LimitError';
  }
}
