import { RE2JS } from 're2js';
import { bool, bytes, expectKind, int, list, text } from '../rule-value.ts';
import { none, one, two, type Arguments, type MethodsOf } from './method.ts';
import { compileRegularExpression } from './regular-expression.ts';

const textAt = (args: Arguments, index: number): string =>
  expectKind(args.at(index), 'string').value;

/** Characters are code points. `matches` is about the whole string. */
export const STRING_METHODS: MethodsOf<'string'> = {
  lower: { arity: none, call: ({ value }) => text(value.toLowerCase()) },
  upper: { arity: none, call: ({ value }) => text(value.toUpperCase()) },
  trim: { arity: none, call: ({ value }) => text(value.trim()) },
  size: { arity: none, call: ({ value }) => int(Array.from(value).length) },
  toUtf8: { arity: none, call: ({ value }) => bytes(Buffer.from(value)) },
  matches: {
    arity: one,
    call: ({ value }, args) => bool(compileRegularExpression(textAt(args, 0)).matches(value)),
  },
  replace: {
    arity: two,
    call: ({ value }, args) =>
      text(
        compileRegularExpression(textAt(args, 0))
          .matcher(value)
          .replaceAll(RE2JS.quoteReplacement(textAt(args, 1))),
      ),
  },
  split: {
    arity: one,
    call: ({ value }, args) =>
      list(
        compileRegularExpression(textAt(args, 0))
          .split(value, -1)
          .map((each) => text(each)),
      ),
  },
};
