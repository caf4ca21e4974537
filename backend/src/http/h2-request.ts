import { Http2ServerRequest, Http2ServerResponse, constants } from 'node:http2';

/**
 * Node's compatibility API gives routes nearly the requests and answers of HTTP/2 that they know from HTTP/1.1. These
 * two classes add the rest.
 *
 * - An interrupted body is an error. Otherwise it would look like a complete body.
 * - Destroying a request destroys its answer, as it destroys the connection in HTTP/1.1.
 * - The host is in the header `host` in either version.
 */
export class H2Request extends Http2ServerRequest {
  constructor(...args: ConstructorParameters<typeof Http2ServerRequest>) {
    super(...args);
    const { headers, stream } = this;
    const authority = headers[':authority'];
    if (typeof authority === 'string') headers.host ??= authority;
    stream.once('aborted', () => this.destroy());
  }

  get headersDistinct(): Readonly<Record<string, string[]>> {
    const distinct = new Map<string, string[]>();
    for (let at = 0; at + 1 < this.rawHeaders.length; at += 2) {
      const [raw = '', value = ''] = this.rawHeaders.slice(at, at + 2);
      const name = raw === ':authority' ? 'host' : raw;
      if (name.startsWith(':')) continue;
      const values = distinct.get(name) ?? [];
      values.push(value);
      distinct.set(name, values);
    }
    return Object.fromEntries(distinct);
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.stream.close(constants.NGHTTP2_CANCEL);
    callback(error);
  }
}

export class H2Response extends Http2ServerResponse<H2Request> {
  constructor(...args: ConstructorParameters<typeof Http2ServerResponse>) {
    super(...args);
    const [stream] = args;
    // When the client disconnects, Node ends the answer as if it had been sent.
    const get = () => stream.writableFinished && !stream.aborted;
    Object.defineProperty(this, 'writableFinished', { get });
  }
}
