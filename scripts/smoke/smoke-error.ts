/** A failed check. Its message is a sentence. */
export class SmokeError extends Error {
  override readonly name = 'SmokeError';
}

/** @throws {SmokeError} */
export function check(isTrue: boolean, sentence: string): void {
  if (!isTrue) throw new SmokeError(sentence);
}
