/**
 * The errors of evaluating an expression.
 *
 * - EvaluationError disables its `allow`, unless the other side of `&&` or `||` decides.
 * - UnknownError is an EvaluationError: the query does not pin the value. So `&&` and `||` follow three-valued
 *   logic, and only a definitely true condition allows.
 * - LimitError denies the whole request; no operator absorbs it.
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
