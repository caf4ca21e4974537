import type { SyncPorts } from '../../../replication/documents/sync-engine.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** Wraps each method of a port, which may be a fake that knows no signal. */
function under<Port extends object>(port: Port, signal: AbortSignal): Port {
  const wrapped = Object.entries(port).map(([name, call]: [string, Call]) => [
    name,
    async (...args: readonly unknown[]) => {
      signal.throwIfAborted();
      try {
        return await call(...args);
      } finally {
        signal.throwIfAborted();
      }
    },
  ]);
  // Each method has the type of the one that it wraps.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(wrapped) as Port;
}

/** Returns a function that opens the ports of one run, which refuse every call once its signal is aborted. */
export function portsUnder({ store, remote }: SyncPorts): (signal: AbortSignal) => SyncPorts {
  const abandon = (): void => remote.abandon();
  return (signal) => ({
    store: under(store, signal),
    remote: { ...under(remote, signal), abandon },
  });
}
