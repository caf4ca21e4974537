import type { Server, Socket } from 'node:net';
import * as v from 'valibot';
import { isOwnMachine } from '../../limits/client.ts';
import type { LevelLimits } from '../../limits/level.ts';
import type { Resources } from '../../limits/resources.ts';
import type { ClientAddress } from './client-address.ts';

export interface ConnectionDeps {
  readonly resources: Resources;
  readonly clientAddress: ClientAddress;
  readonly isProxy: (address: string) => boolean;
}

/**
 * Limits the connections in total and per network address; the address that has most yields. This machine and trusted
 * proxies carry the connections of many clients, so theirs count towards the total only, which leaves them a quarter. An
 * address that is shut out for a while cannot connect.
 */
export function limitConnections(server: Server, deps: ConnectionDeps): void {
  const { limits, level, turns } = deps.resources;
  server.maxConnections = Math.ceil((limits.connections.all * 4) / 3);
  server.on('drop', () => turns.accepted());
  server.on('connection', (socket: Socket) => {
    turns.accepted();
    const address = deps.clientAddress({ headers: {}, socket });
    if (isOwnMachine(address) || deps.isProxy(socket.remoteAddress ?? '')) return;
    if (deps.resources.isShutOut(address)) {
      socket.destroy();
      return;
    }
    try {
      const yielding = { onYield: () => void socket.destroy(), isReplaceable: false };
      const lease = level('connections').take({ uid: null, address }, 1, yielding);
      socket.once('close', () => lease.release());
    } catch {
      socket.destroy();
    }
  });
}

/**
 * Fits the limits to the file descriptors of the process. If connections took all of them, the store could not open its
 * next file, so they get half of them: clients three quarters of that half, one network address a quarter.
 *
 * @param openFiles the number of files that the process may open; undefined where it is unknown.
 */
export function fitConnections(limits: LevelLimits, openFiles = openFileLimit()): LevelLimits {
  const all = Math.min(limits.all, Math.floor(((openFiles ?? Infinity) * 3) / 8));
  const each = Math.min(limits.address, Math.ceil(all / 3));
  return { owner: each, stranger: each, address: each, all };
}

const reportSchema = v.object({
  userLimits: v.object({ open_files: v.object({ soft: v.number() }) }),
});

/** Returns undefined on Windows, and where there is no limit. */
export function openFileLimit(): number | undefined {
  const report = v.safeParse(reportSchema, process.report.getReport());
  return report.success ? report.output.userLimits.open_files.soft : undefined;
}
