import { createServer, type RequestListener } from 'node:http';
import { constants, createSecureServer, type ServerHttp2Session } from 'node:http2';
import type { Server, Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { limitPipelines } from './guards/pipeline-limit.ts';
import { H2Request, H2Response } from './h2-request.ts';

/** The address to listen on, and the certificate for https, which serves HTTP/2 with HTTP/1.1 as fallback. */
export interface ListenOptions {
  readonly port: number;
  /** The address of the interface; this machine alone by default. */
  readonly host?: string | undefined;
  /** PEM texts of a certificate and its key: the server then speaks https only. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Called with the server before it listens. */
  readonly onCreated?: (server: Server) => void;
  /** The time limit for the head of a request and for a TLS handshake, in milliseconds. */
  readonly headMs?: number;
  /** A connection without any transfer for this time is closed, in milliseconds. */
  readonly stalledMs?: number;
  /** Decides which addresses may connect; other connections are closed before a byte of them is read. */
  readonly isAdmitted?: ((address: string) => boolean) | undefined;
}

const loopbackHost = '127.0.0.1';
/** A longer request is cut; the SDK gives an upload ten minutes. */
const serverTimeouts = { keepAliveTimeout: 65_000, requestTimeout: 660_000 };
const defaultHeadMs = 10_000;
const checkMs = 2_000;
const stopGraceMs = 300;
/** The default of `stalledMs`, longer than any pause of a channel or of a running function. */
const defaultStalledMs = 120_000;

export async function startHttpServer(onRequest: RequestListener, options: ListenOptions) {
  const listener = limitPipelines(onRequest);
  const { port, host = loopbackHost, tls, stalledMs = defaultStalledMs, isAdmitted } = options;
  const { headMs = defaultHeadMs } = options;
  const times = {
    ...serverTimeouts,
    headersTimeout: headMs,
    handshakeTimeout: headMs,
    connectionsCheckingInterval: Math.min(headMs, checkMs),
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
  server.prependListener('connection', (socket: Socket) => {
    if (isAdmitted?.(socket.remoteAddress ?? '') === false) socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      const isInUse = 'code' in error && error.code === 'EADDRINUSE';
      reject(isInUse ? new Error(`Port ${port} is already in use.`) : error);
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    port: address.port,
    /** Replaces the certificate of an https server for new connections. */
    setCertificate: (certificate: { readonly cert: string; readonly key: string }) => {
      if (server instanceof TlsServer) server.setSecureContext(certificate);
    },
    /** Stops accepting connections, waits a moment for running answers, then closes the rest. */
    stop: () =>
      new Promise<void>((resolve) => {
        const cut = setTimeout(() => {
          for (const socket of sockets) socket.destroy();
        }, stopGraceMs);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

/** The most concurrent answers of one connection; each tab of a browser has two that never end. */
const maxStreams = 250;
/** The bytes of the head of a request, as in HTTP/1.1. */
const maxHeaderListSize = 16 * 1024;

interface H2Options {
  readonly tls: object;
  readonly times: object;
  readonly stalledMs: number;
}

function createH2Server(listener: RequestListener, { tls, times, stalledMs }: H2Options) {
  const classes = { Http2ServerRequest: H2Request, Http2ServerResponse: H2Response };
  const settings = { maxConcurrentStreams: maxStreams, maxHeaderListSize };
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
    // A client that is answered before it has sent everything is asked to stop sending.
    stream.once('finish', () => {
      const hasSent = stream.endAfterHeaders || stream.state.remoteClose !== 0;
      if (!hasSent) stream.close(constants.NGHTTP2_NO_ERROR);
    });
  });
  return Object.assign(server, times, {
    /** Closes idle sessions at once; others finish their open streams. */
    closeIdleConnections() {
      for (const session of sessions) session.close();
    },
  });
}
