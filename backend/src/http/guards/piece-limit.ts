import type { IncomingMessage, RequestListener } from 'node:http';
import type { Resources } from '../../limits/resources.ts';
import { H2Request } from '../h2-request.ts';
import type { ClientAddress } from './client-address.ts';

export interface PieceLimitDeps {
  readonly resources: Pick<Resources, 'noteCut'>;
  readonly clientAddress: ClientAddress;
}

/** So many pieces of a body that have fewer bytes are made to cost time: usual ones have thousands of bytes each. */
const countedPieces = 2000;
const minBytes = countedPieces * 64;

/**
 * Cuts connections on which a body comes byte by byte, as chunks of HTTP/1.1 or frames of HTTP/2. Pieces are counted as they
 * arrive, since Node takes ten thousand of them from one read of a connection, at some microseconds each. So are those that
 * come after the answer, which Node would drop uncounted unless the body is being read by then.
 */
export function limitPieces(listener: RequestListener, deps: PieceLimitDeps): RequestListener {
  const cut = (request: IncomingMessage) => {
    deps.resources.noteCut(deps.clientAddress(request));
    if (request instanceof H2Request) request.stream.session?.destroy();
    else request.socket.destroy();
  };
  return (request, response) => {
    const push = request.push.bind(request);
    let pieces = 0;
    let bytes = 0;
    request.push = (piece: Buffer | null, encoding) => {
      pieces++;
      bytes += piece?.length ?? 0;
      if (pieces === countedPieces) {
        if (bytes < minBytes) cut(request);
        pieces = 0;
        bytes = 0;
      }
      return push(piece, encoding);
    };
    response.prependOnceListener('finish', () => {
      request.read(0);
      request.resume();
    });
    listener(request, response);
  };
}
