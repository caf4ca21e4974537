import { refusal, type Answer } from './answer.ts';
import type { TranscriptionPorts } from './ports.ts';
import { transcribe } from './transcribe.ts';

/** Of a question; what it asks about is sent by name. */
const bodyMaxLength = 10_000;

/**
 * The function as HTTP, in standard requests and responses. It answers at its own base path; behind a rewrite of hosting
 * the path stays whole, so no path is refused.
 */
export async function handleTranscription(
  ports: TranscriptionPorts,
  request: Request,
): Promise<Response> {
  if (request.method !== 'POST') return toResponse(refusal('method-not-allowed'));
  try {
    const body = await request.text();
    const question = {
      authorization: request.headers.get('authorization'),
      appToken: request.headers.get('x-firebase-appcheck'),
      acceptLanguage: request.headers.get('accept-language'),
      body: body.length > bodyMaxLength ? '' : body,
      signal: request.signal,
    };
    return toResponse(await transcribe(ports, question));
  } catch (error) {
    ports.log('transcription failed', { error: error instanceof Error ? error.name : 'unknown' });
    return toResponse(refusal('internal'));
  }
}

function toResponse({ status, headers, body }: Answer): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store', ...headers } });
}
