import { connect, createServer, type Socket } from 'node:net';

/** A relay to a server that limits the rate of the server's data, which all connections share. */
export interface SlowRelay {
  readonly url: string;
  /** Sets the bytes per second from the server; 0 stalls the link and keeps its connections open. */
  setRate(bytesPerSecond: number): void;
  sentBytes(): number;
  /** Returns the number of connections with an answer in flight. */
  busyConnections(): number;
  /** Returns the number of connections that the client closed in the middle of an answer. */
  abortedConnections(): number;
  close(): Promise<void>;
}

const tickMs = 10;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  waiting: Buffer;
}

export async function openSlowRelay(target: string): Promise<SlowRelay> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  let rate = Infinity;
  let sent = 0;
  let aborted = 0;

  const pass = (): void => {
    let left = (rate * tickMs) / 1_000;
    for (const pair of pairs) {
      const part = pair.waiting.subarray(0, Math.min(pair.waiting.length, left));
      if (part.length === 0) continue;
      pair.waiting = pair.waiting.subarray(part.length);
      left -= part.length;
      sent += part.length;
      pair.client.write(part);
    }
  };
  const timer = setInterval(pass, tickMs);

  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    const pair: Pair = { client, server, waiting: Buffer.alloc(0) };
    pairs.add(pair);
    server.on('data', (bytes: Buffer) => {
      pair.waiting = Buffer.concat([pair.waiting, bytes]);
    });
    client.pipe(server);
    const end = (): void => {
      if (!pairs.delete(pair)) return;
      if (pair.waiting.length > 0) aborted += 1;
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
  });
  await new Promise<void>((resolve) => {
    relay.listen(0, '127.0.0.1', resolve);
  });
  const address = relay.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  return {
    url: `http://127.0.0.1:${String(address.port)}`,
    setRate: (bytesPerSecond) => {
      rate = bytesPerSecond;
    },
    sentBytes: () => sent,
    busyConnections: () => [...pairs].filter(({ waiting }) => waiting.length > 0).length,
    abortedConnections: () => aborted,
    close: async () => {
      clearInterval(timer);
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise((resolve) => {
        relay.close(resolve);
      });
    },
  };
}
