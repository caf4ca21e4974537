/** The product's limit for a chunk. */
const timeoutMs = 120_000;

/**
 * Files of the app that the worker has not kept, from the server: what it answers, 404 for one that is missing; 504 if
 * nothing came in time; no answer otherwise. The page asks for the reason of a failure in the same way.
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
