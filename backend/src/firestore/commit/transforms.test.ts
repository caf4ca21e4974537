import { describe, expect, it } from 'vitest';
import {
  dbl,
  int,
  list,
  nul,
  setWrite,
  str,
  time,
  writes,
} from '../../../tests/support/firestore-json.ts';
import { requestTime } from '../values/timestamp.ts';
import { applyTransform } from './transforms.ts';
import { decodeValue, encodeValue } from '../values/value-codec.ts';

const now = requestTime(Date.UTC(2026, 0, 1) * 1000 + 123_456);

function outcome(transform: Record<string, unknown>, current: unknown) {
  const [write] = writes(
    setWrite('a/b', {}, { updateTransforms: [{ fieldPath: 'f', ...transform }] }),
  );
  const operation = write?.kind === 'set' ? write.transforms[0]?.operation : undefined;
  if (operation === undefined) throw new Error('no transform');
  const applied = applyTransform(
    operation,
    current === undefined ? undefined : decodeValue(current),
    now,
  );
  return [encodeValue(applied.value), encodeValue(applied.result)];
}

const same = (json: unknown) => [json, json];

describe('applyTransform', () => {
  it('sets the request time in milliseconds', () => {
    const transform = { setToServerValue: 'REQUEST_TIME' };
    expect(outcome(transform, int(1))).toEqual(same(time('2026-01-01T00:00:00.123Z')));
  });

  it.each([
    [int(2), int(40), int(42)],
    [int(2), dbl(0.5), dbl(2.5)],
    [dbl(2), int(1), dbl(3)],
    [int(2), str('no number'), int(2)],
    [int(2), undefined, int(2)],
    [int(1), int(2n ** 63n - 1n), int(2n ** 63n - 1n)],
    [int(-1), int(-(2n ** 63n)), int(-(2n ** 63n))],
    [dbl(1), dbl('Infinity'), dbl('Infinity')],
  ])('increments by %j from %j to %j', (increment, current, wanted) => {
    expect(outcome({ increment }, current)).toEqual(same(wanted));
  });

  it.each([
    [{ maximum: int(5) }, int(7), int(7)],
    [{ maximum: dbl(7.5) }, int(7), dbl(7.5)],
    [{ maximum: dbl(7) }, int(7), int(7)],
    [{ maximum: int(5) }, dbl('NaN'), dbl('NaN')],
    [{ maximum: dbl('NaN') }, int(5), dbl('NaN')],
    [{ maximum: int(2n ** 53n + 1n) }, dbl(2 ** 53), int(2n ** 53n + 1n)],
    [{ minimum: int(2n ** 53n + 1n) }, dbl(2 ** 53), dbl(2 ** 53)],
    [{ maximum: dbl(0) }, dbl('-0'), dbl('-0')],
    [{ minimum: dbl('-0') }, int(0), int(0)],
    [{ minimum: dbl('-Infinity') }, int(-(2n ** 63n)), dbl('-Infinity')],
    [{ maximum: int(5) }, nul, int(5)],
    [{ minimum: int(5) }, int(7), int(5)],
    [{ minimum: int(5) }, undefined, int(5)],
  ])('%j with %j is %j', (transform, current, wanted) => {
    expect(outcome(transform, current)).toEqual(same(wanted));
  });

  it('adds missing elements only, comparing 1 and 1.0 as equal', () => {
    const appendMissingElements = { values: [dbl(1), str('b'), str('b')] };
    expect(outcome({ appendMissingElements }, list(int(1), str('a')))).toEqual([
      list(int(1), str('a'), str('b')),
      { nullValue: null },
    ]);
    expect(outcome({ appendMissingElements: { values: [] } }, int(1))[0]).toEqual(list());
  });

  it('removes all equal elements', () => {
    const removeAllFromArray = { values: [int(1)] };
    expect(outcome({ removeAllFromArray }, list(int(1), int(2), dbl(1)))[0]).toEqual(list(int(2)));
    expect(outcome({ removeAllFromArray }, undefined)[0]).toEqual(list());
  });
});
