import { setTimeout as pause } from 'node:timers/promises';

/** Firebase Auth gives up a request without an answer after 30 s, and the app goes on with the stored sign-in. */
const limitMs = 45_000;
const betweenMs = 60;

/**
 * Asks again and again until the answer is one to go on with.
 * @param ask null: not yet.
 * @throws with what was waited for and what was seen last.
 */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | null>,
  seen: () => unknown = () => null,
): Promise<Answer> {
  const endMs = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > endMs) {
      const last = seen();
      throw new Error(
        `Waited in vain for ${what}${last === null ? '' : `, saw ${JSON.stringify(last)}`}`,
      );
    }
    await pause(betweenMs);
  }
}
