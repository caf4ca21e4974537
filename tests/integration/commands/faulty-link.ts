import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * The behaviour of a link.
 *
 * - `down` refuses connections and cuts those that are open.
 * - `lossy` cuts a connection before it passes a request on, or before it passes an answer back.
 * - `slow` passes answers back at {@link slowBytesPerSecond}.
 */
export type LinkMode = 'good' | 'down' | 'lossy' | 'slow';

/** A TCP relay between one device and the server. */
export interface FaultyLink {
  readonly url: string;
  setMode(mode: LinkMode): void;
  isDown(): boolean;
  close(): Promise<void>;
}

export interface FaultyLinkOptions {
  readonly serverPort: () => number;
  /** Returns a number of at least 0 and below 1. */
  readonly random: () => number;
}

const lossProbability = 0.08;
const slowBytesPerSecond = 100_000;

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (address === null || typeof address === 'string') throw new Error('The relay has no port');
  return address.port;
}

/** Writes a piece with the delay of a slow link, and reads no more until then. */
function writeSlowly(from: Socket, to: Socket, piece: Buffer): void {
  from.pause();
  const delayMs = (piece.byteLength / slowBytesPerSecond) * 1_000;
  setTimeout(() => {
    to.write(piece);
    from.resume();
  }, delayMs);
}

export async function openFaultyLink(options: FaultyLinkOptions): Promise<FaultyLink> {
  const { serverPort, random } = options;
  const sockets = new Set<Socket>();
  let mode: LinkMode = 'good';

  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  const relay = createServer((near) => {
    if (mode === 'down') {
      near.destroy();
      return;
    }
    const far = connect(serverPort(), '127.0.0.1');
    const cut = (): void => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    const isLost = (): boolean => mode === 'lossy' && random() < lossProbability;
    near.on('data', (piece: Buffer) => {
      if (isLost()) cut();
      else far.write(piece);
    });
    far.on('data', (piece: Buffer) => {
      if (isLost()) cut();
      else if (mode === 'slow') writeSlowly(far, near, piece);
      else near.write(piece);
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');

  return {
    url: `http://127.0.0.1:${String(portOf(relay.address()))}`,
    setMode: (next) => {
      mode = next;
      if (mode === 'down') cutAll();
    },
    isDown: () => mode === 'down',
    close: async () => {
      cutAll();
      relay.close();
      await once(relay, 'close');
    },
  };
}
