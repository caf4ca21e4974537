import type { Fail, Position } from '../rules-error.ts';
import { wrongCount } from './names.ts';
import type { CompiledFunction, FunctionCall } from './scope.ts';

const maxCallDepth = 20;
const tooDeep = `Calls go deeper than ${maxCallDepth} here.`;

/**
 * - It resolves each call to the function in its own block, or else in the closest enclosing block.
 * - It refuses recursion, and a chain of more than 20 calls.
 */
export function linkCalls(
  functions: readonly CompiledFunction[],
  ofConditions: readonly FunctionCall[],
  fail: Fail,
): void {
  for (const call of [...functions.flatMap(({ calls }) => calls), ...ofConditions]) {
    link(call, fail);
  }
  const heights = new Map<CompiledFunction, number | 'visiting'>();
  const heightOf = (callee: CompiledFunction, at: Position, depth: number): number => {
    const found = heights.get(callee);
    if (found === 'visiting') {
      return fail(at, `"${callee.name}" calls itself, which is not supported.`);
    }
    if (found !== undefined) return found;
    if (depth > maxCallDepth) fail(at, tooDeep);
    heights.set(callee, 'visiting');
    const below = callee.calls.map((each) =>
      each.callee === undefined ? 0 : heightOf(each.callee, each.at, depth + 1),
    );
    const height = 1 + Math.max(0, ...below);
    if (height > maxCallDepth) fail(callee.at, tooDeep);
    heights.set(callee, height);
    return height;
  };
  for (const each of functions) heightOf(each, each.at, 1);
}

function link(call: FunctionCall, fail: Fail): void {
  const { name, at, count, visible } = call;
  const callee = visible.find((each) => each.has(name))?.get(name);
  if (callee === undefined) fail(at, `There is no function "${name}" here.`);
  else if (count !== callee.arity) fail(at, wrongCount(name, callee.arity, count));
  call.callee = callee;
}
