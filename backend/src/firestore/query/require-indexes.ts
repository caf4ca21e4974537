import type { FieldPath } from '../values/field-path.ts';
import type { Query } from './query.ts';

/**
 * Throws FAILED_PRECONDITION for a query that hosted Firestore would not answer without an index that nobody declared.
 * `aggregated` are the fields of sums and averages.
 */
export type RequireIndexes = (query: Query, aggregated: readonly FieldPath[]) => void;
