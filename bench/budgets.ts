/**
 * How much more than IndexedDB by hand each thing may cost, and how large the code may be. They were set before the code
 * was written (budget: docs/benchmarks.md); a missed one is reported, not moved.
 */
export interface Budget {
  /** Of a ratio, or of kilobytes. */
  readonly max: number;
  /** Said where it is missed. */
  readonly whyMissed: string;
}

const unexplained = 'No reason known yet.';

export const budgets: ReadonlyMap<string, Budget> = new Map<string, Budget>([
  ['insert-strict-0', { max: 2.5, whyMissed: unexplained }],
  ['insert-strict-10000', { max: 2.5, whyMissed: unexplained }],
  ['insert-default-0', { max: 2.5, whyMissed: unexplained }],
  ['insert-default-10000', { max: 2.5, whyMissed: unexplained }],
  ['seen-1000', { max: 2.5, whyMissed: unexplained }],
  ['seen-10000', { max: 2.5, whyMissed: unexplained }],
  ['cold-open', { max: 3, whyMissed: unexplained }],
  ['first-sync', { max: 3.5, whyMissed: unexplained }],
  ['push', { max: 3.5, whyMissed: unexplained }],
  ['heap', { max: 2.3, whyMissed: unexplained }],
  ['first-view', { max: 205, whyMissed: unexplained }],
  ['bell', { max: 135, whyMissed: unexplained }],
  ['page', { max: 520, whyMissed: unexplained }],
  ['worker', { max: 160, whyMissed: unexplained }],
]);
