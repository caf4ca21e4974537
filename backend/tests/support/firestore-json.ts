import { decodeQuery } from '../../src/firestore/query/query-codec.ts';
import type { Query } from '../../src/firestore/query/query.ts';
import { decodeValue } from '../../src/firestore/values/value-codec.ts';
import type { Value } from '../../src/firestore/values/value.ts';
import { decodeWrites, type Write } from '../../src/firestore/commit/write.ts';
import { finish } from '../../src/limits/slices.ts';
import { databaseNames } from './test-database.ts';

/** Short ways to write the wire's JSON; what is built is decoded by the code under test. */
export const str = (value: string) => ({ stringValue: value });
export const int = (value: number | bigint) => ({ integerValue: String(value) });
export const dbl = (value: number | string) => ({ doubleValue: value });
export const list = (...values: unknown[]) => ({ arrayValue: { values } });
export const map = (fields: Record<string, unknown>) => ({ mapValue: { fields } });
export const time = (value: string) => ({ timestampValue: value });
export const nul = { nullValue: 'NULL_VALUE' };
export const bool = (value: boolean) => ({ booleanValue: value });
export const ref = (path: string) => ({ referenceValue: databaseNames.toName(path) });

export const value = (json: unknown): Value => decodeValue(json);

export const writes = (...json: unknown[]): readonly Write[] =>
  finish(decodeWrites(json, { names: databaseNames, elapsedMs: () => 0 }));

export const setWrite = (path: string, fields: Record<string, unknown>, more = {}) => ({
  update: { name: databaseNames.toName(path), fields },
  ...more,
});

export const deleteWrite = (path: string, more = {}) => ({
  delete: databaseNames.toName(path),
  ...more,
});

export const where = (field: string, op: string, operand: unknown) => ({
  fieldFilter: { field: { fieldPath: field }, op, value: operand },
});

export const unary = (field: string, op: string) => ({
  unaryFilter: { field: { fieldPath: field }, op },
});

export const all = (...filters: unknown[]) => ({ compositeFilter: { op: 'AND', filters } });
export const any = (...filters: unknown[]) => ({ compositeFilter: { op: 'OR', filters } });

export const orderBy = (field: string, direction = 'ASCENDING') => ({
  field: { fieldPath: field },
  direction,
});

export const structuredQuery = (collectionId: string, more: Record<string, unknown> = {}) => ({
  from: [{ collectionId }],
  ...more,
});

export const query = (collectionId: string, more: Record<string, unknown> = {}): Query =>
  decodeQuery(structuredQuery(collectionId, more), '', databaseNames);
