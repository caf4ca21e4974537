import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PatientProxy {
  readonly port: number;
  /** Sets the port of the server; clients wait while it is null. */
  setTarget(port: number | null): void;
}

/** Starts a proxy with a constant address for a server that restarts on other ports. */
export async function startPatientProxy(): Promise<PatientProxy> {
  let target: number | null = null;
  let waiting: Socket[] = [];
  const open = new Set<Socket>();

  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined);
    client.on('close', () => open.delete(client));
    if (target === null) waiting.push(client);
    else link(client, target);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const each of open) each.destroy();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    setTarget(port) {
      target = port;
      if (port === null) return;
      for (const each of waiting) if (!each.destroyed) link(each, port);
      waiting = [];
    },
  };
}

function link(client: Socket, port: number): void {
  const upstream = connect(port, '127.0.0.1');
  for (const [from, to] of [
    [client, upstream],
    [upstream, client],
  ] as const) {
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
    from.pipe(to);
  }
}
