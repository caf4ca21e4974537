import type { Request as ExpressRequest } from 'firebase-functions/https';

/** The part of Express's response that an answer needs. */
interface ExpressResponse {
  status(code: number): unknown;
  setHeader(name: string, value: string): unknown;
  send(body: Buffer): unknown;
}

const passedHeaders = ['authorization', 'accept-language', 'content-type', 'x-firebase-appcheck'];

/** Converts a request of the functions framework, which has already read the body, to a standard one. */
export function toStandardRequest(
  { method, headers, rawBody, url }: ExpressRequest,
  signal: AbortSignal,
): Request {
  const standard = new Headers();
  for (const name of passedHeaders) {
    const value = headers[name];
    if (typeof value === 'string') standard.set(name, value);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(new URL(url, 'http://localhost'), {
    method,
    headers: standard,
    signal,
    ...(hasBody ? { body: new Uint8Array(rawBody) } : {}),
  });
}

export async function sendStandardResponse(
  answer: Response,
  response: ExpressResponse,
): Promise<void> {
  response.status(answer.status);
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.send(Buffer.from(await answer.arrayBuffer()));
}
