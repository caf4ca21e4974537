import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, lets running answers end for a moment, then cuts what is left. */
  stop(): Promise<void>;
}

/** Where to listen, and the certificate that makes it https. */
export interface ListenOptions {
  /** 0 takes any free port. */
  readonly port: number;
  /** The address of an interface; this machine alone unless told otherwise. */
  readonly host?: string;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Told of the server before it listens. */
  readonly onCreated?: (server: Server) => void;
  /** The head of a request, or a handshake of TLS, that takes longer is no browser's. */
  readonly headMs?: number;
  /** A connection on which nothing moves for so long is cut. */
  readonly stalledMs?: number;
}

const LOOPBACK_HOST = '127.0.0.1';
/** The SDK gives an upload ten minutes; a request that takes longer is cut. */
const KEEP_ALIVE = { keepAliveTimeout: 65_000, requestTimeout: 660_000 };
const HEAD_MS = 10_000;
const CHECK_MS = 2_000;
const STOP_GRACE_MS = 300;
/** Longer than any pause of a channel or of a function at work. */
const STALLED_MS = 120_000;

export class PortInUseError extends Error {
  constructor(port: number) {
    super(`Port ${port} is already in use.`);
    this.name = 'PortInUseError';
  }
}

export async function startHttpServer(
  listener: RequestListener,
  options: ListenOptions,
): Promise<HttpServer> {
  const { port, host = LOOPBACK_HOST, tls, headMs = HEAD_MS, stalledMs = STALLED_MS } = options;
  const times = {
    ...KEEP_ALIVE,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    connectionsCheckingInterval: Math.min(headMs, CHECK_MS),
  };
  const server =
    tls === undefined
      ? createServer(times, listener)
      : createTlsServer({ ...times, ...tls }, listener);
  server.setTimeout(stalledMs);
  options.onCreated?.(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject('code' in error && error.code === 'EADDRINUSE' ? new PortInUseError(port) : error),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: portOf(server.address()),
    stop: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), STOP_GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
