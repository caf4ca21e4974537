import type { Clock } from '../ports.ts';

/**
 * The requests of Firestore's lite SDK, which knows no deadline and cannot abort.
 *
 * - A request lives for as long as bytes arrive, however slowly. After a silence of all requests they are aborted: they wait
 *   for each other in the browser's few connections, so one that is silent alone may only be standing in line.
 * - An aborted request has left the link when its caller hears of it, so nothing competes with the next try.
 * - A request whose answer nobody waits for any more can be aborted as well.
 */
export interface PatientFetch {
  /** In place of the browser's; requests that are not Firestore's pass through. */
  readonly fetch: typeof fetch;
  /** Aborts what is under way; the SDK says `cancelled` to whoever waits. */
  abandon(): void;
}

export interface PatientFetchDeps {
  readonly send: typeof fetch;
  readonly clock: Pick<Clock, 'after'>;
  /** A silence is noticed after this time at the earliest, and after twice as long at the latest. */
  readonly silenceMs?: number;
}

/** Longer than the 15 s the server gives itself, so that an answer on its way is not given up. */
const defaultSilenceMs = 20_000;

/** The SDK makes its code of the status of what `fetch` throws: `deadline-exceeded` and `cancelled`. */
const silent = { status: 504 };
const abandoned = { status: 499 };

const restPath = /\/v1\/projects\/[^/]+\/databases\/[^/]+\/documents/;

async function readAll(body: ReadableStream<Uint8Array>, onBytes: () => void): Promise<Blob> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks);
    onBytes();
    chunks.push(new Uint8Array(value));
  }
}

export function createPatientFetch(deps: PatientFetchDeps): PatientFetch {
  const { send, clock, silenceMs = defaultSilenceMs } = deps;
  const underWay = new Set<AbortController>();
  let isHeard = false;
  let isWatched = false;

  const abortAll = (reason: { readonly status: number }): void => {
    for (const request of underWay) request.abort(reason);
  };

  const watch = (): void => {
    isWatched = underWay.size > 0;
    if (!isWatched) return;
    isHeard = false;
    clock.after(silenceMs, () => {
      if (!isHeard) abortAll(silent);
      watch();
    });
  };

  const hear = (): void => {
    isHeard = true;
    if (!isWatched) watch();
  };

  const request = async (input: string, init: RequestInit): Promise<Response> => {
    const limit = new AbortController();
    const { signal } = limit;
    underWay.add(limit);
    hear();
    try {
      const response = await send(input, { ...init, signal });
      hear();
      return new Response(response.body && (await readAll(response.body, hear)), response);
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      underWay.delete(limit);
    }
  };

  return {
    fetch: (input, init) => {
      // Whoever gives a signal of its own needs no other.
      const isPost = init?.method === 'POST' && !init.signal;
      const isSdks = isPost && typeof input === 'string' && restPath.test(input);
      return isSdks ? request(input, init) : send(input, init);
    },
    abandon: () => abortAll(abandoned),
  };
}

let installed: PatientFetch | null = null;

/** The SDK takes the global `fetch`, so this one takes its place, once. */
export function patientFetch(clock: Pick<Clock, 'after'>): PatientFetch {
  if (installed === null) {
    installed = createPatientFetch({ send: globalThis.fetch.bind(globalThis), clock });
    globalThis.fetch = installed.fetch;
  }
  return installed;
}
