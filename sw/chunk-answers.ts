/** The product's time limit for a chunk. */
const timeoutMs = 120_000;

/**
 * Returns the server's answer for app files that are not in the worker's cache: 404 for a missing file, 504 after the
 * time limit, a network error otherwise. The page requests the reason of a failure in the same way.
 */
export async function answerFromServer({ request }: { request: Request }): Promise<Response> {
  const patience = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(request, { signal: patience });
  } catch {
    return patience.aborted
      ? new Response(null, { status: 504, statusText: 'Timeout' })
      : Response.error();
  }
}
