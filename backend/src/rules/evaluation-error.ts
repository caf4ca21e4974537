/**
 * The errors of evaluating an expression.
 *
 * - EvaluationError disables its `allow`, unless the other side of `&&` or `||` decides.
 * - UnknownError is an EvaluationError: the query does not pin the value. So `&&` and `||` follow three-valued
 *   logic, and only a definitely true condition allows.
 * - LimitError denies the whole request; no operator absorbs it.
 */
export class EvaluationError extends Error {
  override name = 'EvaluationError';
}

export class UnknownError extends EvaluationError {
  override name = 'UnknownError';

  constructor(what: string) {
    super(`The query does not say ${what}.`);
  }
}

export class LimitError extends Error {
  override name = 'LimitError';
}
