import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface SlowListenProxy {
  readonly port: number;
  /** Holds all further answers to listeners; other answers arrive. */
  hold(): void;
  /** Delivers the held answers. */
  release(): void;
}

/** Starts a proxy in which the answer to a write can overtake the messages to a listener. */
export async function startSlowListenProxy(targetPort: number): Promise<SlowListenProxy> {
  let isHeld = false;
  let held: (() => void)[] = [];
  const server = createServer((client) => {
    const upstream = connect(targetPort, '127.0.0.1');
    let isListener = false;
    client.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.includes(' HTTP/1.1\r\n')) isListener = text.includes('/Listen/channel');
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => {
      if (isHeld && isListener) held.push(() => client.write(chunk));
      else client.write(chunk);
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const each of held) each();
      held = [];
    },
  };
}
