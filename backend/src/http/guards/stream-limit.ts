import type { ServerHttp2Stream } from 'node:http2';
import type { Server } from 'node:net';

/** The streams that an address may open in one turn of the event loop; a page opens fewer than a hundred at once. */
const maxOpened = 300;

/**
 * Closes connections of HTTP/2 whose address opens too many streams in one turn of the event loop: it handles all that it
 * has received before anything else, also the streams that are reset at once, which count towards no limit. A trusted proxy
 * has the streams of many clients, and is not limited.
 */
export function limitStreams(server: Server, isProxy: (address: string) => boolean): void {
  const opened = new Map<string, number>();
  server.on('stream', ({ session }: ServerHttp2Stream) => {
    const address = session?.socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    if (opened.size === 0) setImmediate(() => opened.clear());
    const count = (opened.get(address) ?? 0) + 1;
    opened.set(address, count);
    if (count > maxOpened) session?.destroy();
  });
}
