import { int, list, map, NULL, text, type RuleValue } from '../rules/rule-value.ts';
import type { Query } from '../firestore/query/query.ts';

/** `request.query`; a limit that was not given is null, so comparing it denies. */
export function queryValue({ limit, offset, orderBy }: Query): RuleValue {
  return map(
    new Map<string, RuleValue>([
      ['limit', limit === null ? NULL : int(limit)],
      ['offset', int(offset)],
      [
        'orderBy',
        list(
          orderBy.map(({ field, isDescending }) =>
            text(`${field.text} ${isDescending ? 'DESC' : 'ASC'}`),
          ),
        ),
      ],
    ]),
  );
}
