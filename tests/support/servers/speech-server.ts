import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** Answers a request to a speech engine's server. The request's body is not read yet. */
export type AnswerSpeech = (request: Request) => Promise<Response> | Response;

/** A fake speech engine on a free local port. */
export interface SpeechServer {
  readonly url: string;
  /** Returns the number of requests so far. */
  count(): number;
  answer: AnswerSpeech;
  stop(): Promise<void>;
}

async function toRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) if (Buffer.isBuffer(piece)) pieces.push(piece);
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const body = Buffer.concat(pieces);
  const init = { method: incoming.method ?? 'GET', headers };
  return new Request(origin + (incoming.url ?? '/'), body.length > 0 ? { ...init, body } : init);
}

export async function startSpeechServer(answer: AnswerSpeech): Promise<SpeechServer> {
  let count = 0;
  const http = createServer((incoming, outgoing) => {
    void (async () => {
      count += 1;
      const response = await played.answer(await toRequest(incoming, played.url));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })().catch(() => outgoing.destroy());
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const played: SpeechServer = {
    url: `http://127.0.0.1:${port}`,
    count: () => count,
    answer,
    stop: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return played;
}
