import type { Server, Socket } from 'node:net';
import * as v from 'valibot';
import { isOwnMachine } from '../../limits/client.ts';
import type { LevelLimits } from '../../limits/level.ts';
import type { Resources } from '../../limits/resources.ts';
import type { ClientAddress } from './client-address.ts';

/**
 * - Connections take file descriptors. When strangers have taken all of them the store cannot open its next file, so
 *   connections get half of what the process may open, and one network address a quarter of that.
 * - This machine and the proxies in front of it bring the connections of everybody, so they are counted together only.
 */
export interface ConnectionDeps {
  readonly resources: Resources;
  readonly clientAddress: ClientAddress;
  readonly isProxy: (address: string) => boolean;
}

export function limitConnections(server: Server, deps: ConnectionDeps): void {
  const { limits, level } = deps.resources;
  server.maxConnections = limits.connections.all;
  server.on('connection', (socket: Socket) => {
    const address = deps.clientAddress({ headers: {}, socket });
    if (isOwnMachine(address) || deps.isProxy(socket.remoteAddress ?? '')) return;
    try {
      const lease = level('connections').take({ uid: null, address }, 1);
      socket.once('close', () => lease.release());
    } catch {
      socket.destroy();
    }
  });
}

/** @param openFiles what the process may open; undefined where the system does not say. */
export function fitConnections(limits: LevelLimits, openFiles = openFileLimit()): LevelLimits {
  const all = Math.min(limits.all, Math.floor((openFiles ?? Infinity) / 2));
  const each = Math.min(limits.address, Math.ceil(all / 4));
  return { owner: each, stranger: each, address: each, all };
}

const reportSchema = v.object({
  userLimits: v.object({ open_files: v.object({ soft: v.number() }) }),
});

/** Undefined on Windows, and where there is no limit. */
export function openFileLimit(): number | undefined {
  const report = v.safeParse(reportSchema, process.report.getReport());
  return report.success ? report.output.userLimits.open_files.soft : undefined;
}
