import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Browsers send the next request over HTTP/1.1 once the last one is answered. */
const maxUnanswered = 10;

/**
 * Closes connections of HTTP/1.1 on which many requests come before the first is answered: all that come in one piece
 * would be handled in one turn of the event loop.
 */
export function limitPipelines(listener: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  const add = ({ socket }: IncomingMessage, more: number): number => {
    const count = (unanswered.get(socket) ?? 0) + more;
    unanswered.set(socket, count);
    return count;
  };
  return (request, response) => {
    if (request.httpVersionMajor > 1) return listener(request, response);
    // Node emits the requests that it has already received even after the connection is closed.
    if (request.socket.destroyed) return;
    if (add(request, 1) > maxUnanswered) {
      request.socket.destroy();
      return;
    }
    response.once('close', () => add(request, -1));
    listener(request, response);
  };
}
