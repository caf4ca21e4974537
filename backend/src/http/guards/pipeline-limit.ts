import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { memo } from '../../memo.ts';

/** Browsers send the next request over HTTP/1.1 once the last one is answered. */
const maxUnanswered = 10;

/**
 * Closes connections of HTTP/1.1 on which many requests come before the first is answered: all that come in one piece
 * would be handled in one turn of the event loop. When a connection ends, so do all of its responses: Node closes only the
 * one that has its turn, and those behind it would keep what they hold.
 */
export function limitPipelines(listener: RequestListener): RequestListener {
  const unansweredOn = memo((socket: Socket) => {
    const responses = new Set<ServerResponse>();
    socket.once('close', () => {
      for (const each of responses) if (each.socket === null) each.destroy().emit('close');
    });
    return responses;
  });
  return (request, response) => {
    if (request.httpVersionMajor > 1) return listener(request, response);
    // Node emits the requests that it has already received even after the connection is closed.
    if (request.socket.destroyed) return;
    const responses = unansweredOn(request.socket);
    if (responses.size === maxUnanswered) {
      request.socket.destroy();
      return;
    }
    responses.add(response);
    response.once('close', () => responses.delete(response));
    listener(request, response);
  };
}
