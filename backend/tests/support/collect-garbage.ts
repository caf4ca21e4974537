import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage at once. */
// V8 has that function by this flag.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const collectGarbage = runInNewContext('gc') as () => void;
