import { createServer, type RequestListener } from 'node:http';
import { constants, createSecureServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { H2Request, H2Response } from './h2-request.ts';

export interface HttpServer {
  readonly port: number;
  /** Another certificate for the connections to come of a server that speaks https. */
  readonly setCertificate: (tls: { readonly cert: string; readonly key: string }) => void;
  /** Stops accepting, lets running answers end for a moment, then cuts what is left. */
  stop(): Promise<void>;
}

/** The address to listen on, and the certificate that makes it https: HTTP/2, with HTTP/1.1 as fall-back. */
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
  /** Connections from other addresses are closed before a byte of them is read. */
  readonly isAdmitted?: (address: string) => boolean;
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
  const { port, host = LOOPBACK_HOST, tls, stalledMs = STALLED_MS, isAdmitted } = options;
  const { headMs = HEAD_MS } = options;
  const times = {
    ...KEEP_ALIVE,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    connectionsCheckingInterval: Math.min(headMs, CHECK_MS),
  };
  const server =
    tls === undefined
      ? createServer(times, listener)
      : createH2Server(listener, { tls, times, stalledMs });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.setTimeout(stalledMs);
  options.onCreated?.(server);
  if (isAdmitted !== undefined) closeStrangers(server, isAdmitted);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject('code' in error && error.code === 'EADDRINUSE' ? new PortInUseError(port) : error),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: portOf(server.address()),
    setCertificate: (certificate) => {
      if (server instanceof TlsServer) server.setSecureContext(certificate);
    },
    stop: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, STOP_GRACE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** Answers that one browser may wait for at once; each of its tabs has two that never end. */
const MAX_STREAMS = 250;

interface H2Options {
  readonly tls: { readonly cert: string; readonly key: string };
  readonly times: object;
  readonly stalledMs: number;
}

function createH2Server(listener: RequestListener, { tls, times, stalledMs }: H2Options) {
  const classes = { Http2ServerRequest: H2Request, Http2ServerResponse: H2Response };
  const settings = { maxConcurrentStreams: MAX_STREAMS };
  const server = createSecureServer({
    ...times,
    ...tls,
    ...classes,
    settings,
    allowHTTP1: true,
  });
  server.on('request', listener);
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream) => {
    stream.setTimeout(stalledMs, () => stream.close(constants.NGHTTP2_CANCEL));
    // A client that was answered before it had sent everything is asked to stop.
    stream.once('finish', () => {
      if (stream.state.remoteClose === 0) stream.close(constants.NGHTTP2_NO_ERROR);
    });
  });
  return Object.assign(server, times, {
    /** Idle ones end at once; others may finish what they have begun. */
    closeIdleConnections() {
      for (const session of sessions) session.close();
    },
  });
}

function closeStrangers(server: Server, isAdmitted: (address: string) => boolean): void {
  server.prependListener('connection', (socket: Socket) => {
    if (!isAdmitted(socket.remoteAddress ?? '')) socket.destroy();
  });
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}
