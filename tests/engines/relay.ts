import { connect, createServer, type Server, type Socket } from 'node:net';

/** The way to a server. Whatever a browser has running, its worker too, is offline while it is cut. */
export interface Relay {
  readonly url: string;
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

/** Opens a relay on a free port, which it keeps. */
export async function openRelay(target: string): Promise<Relay> {
  const sockets = new Set<Socket>();
  const relay = createServer((client) => {
    const server = connect(Number(new URL(target).port), 'localhost');
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server);
    server.pipe(client);
  });
  await listen(relay, 0);
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const { port } = address;

  return {
    url: `http://localhost:${String(port)}`,
    cut: () =>
      new Promise((resolve) => {
        relay.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
    mend: () => listen(relay, port),
  };
}
