import type { Clock } from '../ports.ts';

export type PatientFetch = ReturnType<typeof createPatientFetch>;

interface PatientFetchDeps {
  readonly send: typeof fetch;
  readonly clock: Pick<Clock, 'after'>;
  /** A silence is noticed after this time at the earliest, and after twice this time at the latest. */
  readonly silenceMs?: number;
}

/** The limit is longer than the server's own 15 s, so that an answer in flight is not abandoned. */
const defaultSilenceMs = 20_000;

/** The SDK maps the status of the thrown reason to a code: `deadline-exceeded` and `cancelled`. */
const silent = { status: 504 };
const abandoned = { status: 499 };

const restPath = /\/v1\/projects\/[^/]+\/databases\/[^/]+\/documents/;

/**
 * The error that ends an answer which the server breaks off: the status was sent before the first document, and the SDK
 * skips what is no document. A text does not match, since its quotes are escaped, nor does a field: no value has a code.
 */
const brokenOff = /\{\s*"error":\s*\{\s*"code":\s*(\d+)/;

async function readAll(body: ReadableStream<Uint8Array>, onBytes: () => void): Promise<string> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).text();
    onBytes();
    chunks.push(new Uint8Array(value));
  }
}

/**
 * Creates a fetch for Firestore's lite SDK, which has no time limit and cannot abort.
 *
 * - A request has no time limit while bytes arrive, however slowly. All requests are aborted after a silence of all of
 *   them: they share the browser's few connections, so a single silent request may only be queued.
 * - An aborted request has released the connection when its caller is notified, so nothing competes with the retry.
 * - A request whose answer is no longer needed can be aborted as well.
 * - An answer that the server breaks off with an error has the status of that error.
 */
export function createPatientFetch(deps: PatientFetchDeps) {
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
      const { headers, statusText } = response;
      const body = response.body && (await readAll(response.body, hear));
      const status = Number(brokenOff.exec(body ?? '')?.[1] ?? response.status);
      return new Response(body, { headers, status, statusText });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      underWay.delete(limit);
    }
  };

  return {
    /** Replaces the browser's fetch; other requests pass through. */
    fetch: ((input, init) => {
      // A caller with a signal of its own handles its own limit.
      const isPost = init?.method === 'POST' && !init.signal;
      const isSdks = isPost && typeof input === 'string' && restPath.test(input);
      return isSdks ? request(input, init) : send(input, init);
    }) satisfies typeof fetch,
    /** Aborts the requests in flight; the SDK then rejects with `cancelled`. */
    abandon: () => abortAll(abandoned),
  };
}

let installed: PatientFetch | null = null;

/** Replaces the global `fetch`, which the SDK uses, once. */
export function patientFetch(clock: Pick<Clock, 'after'>): PatientFetch {
  if (installed === null) {
    installed = createPatientFetch({ send: globalThis.fetch.bind(globalThis), clock });
    globalThis.fetch = installed.fetch;
  }
  return installed;
}
