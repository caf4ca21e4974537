import { firebaseConfigOf } from '../../replication/firebase/firebase-config.ts';
import { hostedSettings } from '../deploy-check/deploy-check.ts';
import { readFunctionsSettings } from '../deploy-check/functions-settings.ts';
import { sendAsPageOf } from './as-a-page.ts';

export interface SmokeRequest {
  /** The folder of the project. */
  readonly root: string;
  /** The folder of the build that is served. */
  readonly dist: string;
  readonly origin: string;
  /** The project of `.env.hosted.local`, or the embedded backend at that origin. */
  readonly isHosted: boolean;
}

/** Runs the smoke test, and prints its progress. @returns the exit code. */
export async function runSmoke({ root, dist, origin, isHosted }: SmokeRequest): Promise<number> {
  const settings = isHosted ? hostedSettings(root, process.env) : {};
  sendAsPageOf(origin);
  // This import loads the SDK, which uses the `fetch` that the line above has replaced.
  const { smokeTest } = await import('./smoke.ts');
  try {
    await smokeTest({
      config: firebaseConfigOf(settings, origin),
      origin,
      dist,
      isAppCheckEnforced:
        isHosted && (await readFunctionsSettings(root, 'functions')).isAppCheckEnforced,
      say: (line) => console.log(line),
    });
    console.log('The smoke test has passed.');
    return 0;
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    console.error(name === 'SmokeError' ? message : `${name}: ${message}`);
    console.error('The smoke test has failed.');
    return 1;
  }
}
