import { connect, createServer, type Socket } from 'node:net';

export interface FaultyProxy {
  readonly port: number;
  /** Breaks every connection, in the middle of whatever it carries. */
  cut(): void;
  /** Drops all further data of the server on the open connections; the data of the client arrives. */
  swallow(): void;
  /** Refuses connections, until called with false. */
  setDown(isDown: boolean): void;
  /** Makes the next requests on the open connections name an unknown session. */
  forget(): void;
  stop(): void;
}

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  isSwallowing: boolean;
  isForgetting: boolean;
}

const session = /SID=[\w-]{32}/;

/**
 * A network between client and server that can fail in the ways networks and servers do. It refuses connections while
 * the server has no port.
 */
export async function startFaultyProxy(serverPort: () => number | null): Promise<FaultyProxy> {
  const pairs = new Set<Pair>();
  let isDown = false;
  const server = createServer((client) => {
    const port = serverPort();
    if (port === null || isDown) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    const pair: Pair = { client, upstream, isSwallowing: false, isForgetting: false };
    pairs.add(pair);
    const close = () => {
      pairs.delete(pair);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      socket.on('error', close);
      socket.on('close', close);
    }
    client.on('data', (chunk: Buffer) => {
      const text = pair.isForgetting ? chunk.toString('latin1') : '';
      const isRequest = session.test(text);
      if (isRequest) pair.isForgetting = false;
      const unknown = `SID=${'x'.repeat(32)}`;
      upstream.write(isRequest ? Buffer.from(text.replace(session, unknown), 'latin1') : chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (!pair.isSwallowing) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const cut = () => {
    for (const { client, upstream } of pairs) {
      client.destroy();
      upstream.destroy();
    }
  };
  return {
    port: address.port,
    cut,
    swallow() {
      for (const pair of pairs) pair.isSwallowing = true;
    },
    setDown(isDownNow) {
      isDown = isDownNow;
    },
    forget() {
      for (const pair of pairs) pair.isForgetting = true;
    },
    stop() {
      cut();
      server.close();
    },
  };
}
