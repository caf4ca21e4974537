/**
 * The text of an expression that runs a function with its arguments and resolves to JSON, for drivers that send text. The
 * compiler of the tests names functions by a call that pages do not have.
 */
export function pageScript(work: (...args: never[]) => unknown, args: readonly unknown[]): string {
  const values = args.map((value) => JSON.stringify(value) ?? 'undefined').join(', ');
  return `(async () => {
    const __name = (named) => named;
    return JSON.stringify((await (${work.toString()})(${values})) ?? null);
  })()`;
}
