import { refusal, type Answer } from './answer.ts';
import type { TranscriptionPorts } from './ports.ts';
import { transcribe } from './transcribe.ts';

/** The limit of a request body, which refers to the audio by name. */
const bodyMaxLength = 10_000;

/**
 * Handles the function's HTTP requests. It serves its own base path; a hosting rewrite keeps the whole path, so it
 * accepts any path.
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
