import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CuttingProxy {
  readonly port: number;
  /** Breaks every connection, in the middle of whatever it carries. */
  cut(): number;
}

/** A network between client and server that can fail. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    const count = sockets.size;
    for (const socket of sockets) socket.destroy();
    return count;
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return { port: address.port, cut };
}
