import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, lets running answers end for a moment, then cuts what is left. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const STOP_GRACE_MS = 300;

export class PortInUseError extends Error {
  constructor(port: number) {
    super(`Port ${port} is already in use.`);
    this.name = 'PortInUseError';
  }
}

export async function startHttpServer(
  listener: RequestListener,
  wantedPort: number,
): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: 65_000 }, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        'code' in error && error.code === 'EADDRINUSE' ? new PortInUseError(wantedPort) : error,
      ),
    );
    server.listen(wantedPort, HOST, resolve);
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
