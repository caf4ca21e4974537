import type { ServerResponse } from 'node:http';
import type { ChannelResponse, ChannelServer } from '../channel/channel-server.ts';
import type { Lease } from '../limits/level.ts';
import { sendText, type Exchange, type Route } from './exchange.ts';
import { readBody } from './read-body.ts';

const paths = /^\/google\.firestore\.v1\.Firestore\/(?:Listen|Write)\/channel$/;
const maxBufferedBytes = 1_000_000;

export function createChannelRoute(channels: ChannelServer): Route {
  return {
    matches: (_method, pathname) => paths.test(pathname),
    async handle(exchange: Exchange) {
      const { request, response, url, resources } = exchange;
      const { client: known, maxBytes } = channels.expect(url.searchParams);
      const client = { ...exchange.client, ...known, gone: exchange.client.gone };
      resources.work.check(client);
      const body = await readBody(exchange, { maxBytes, client });
      if (!body.ok && body.reason === 'aborted') return;
      const call = {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        address: client.address,
        body: body.ok ? body.bytes : null,
      };
      await resources.turns.ask(client, () => {
        const room = call.method === 'GET' ? exchange.take('answerBytes', client, 0) : undefined;
        channels.handle(call, toChannelResponse(response, room));
      });
    },
  };
}

/** @param room is charged with what the reader of a back channel has not read yet. */
function toChannelResponse(response: ServerResponse, room: Lease | undefined): ChannelResponse {
  const charge = () => {
    try {
      room?.set(response.writableLength);
    } catch {
      response.destroy();
    }
  };
  return {
    answer: (status, body) => sendText(response, status, body),
    open(isStreaming, waitMs) {
      response.writeHead(200, {
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
      });
      return {
        isStreaming,
        waitMs,
        write(chunk) {
          response.write(chunk);
          charge();
        },
        end: () => void response.end(),
        drop: () => void (response.writableLength > 0 ? response.destroy() : response.end()),
        isReady: () => response.writableLength < maxBufferedBytes,
      };
    },
    onGone: (listener) => void response.once('close', listener),
    onReady(listener) {
      response.on('drain', () => {
        charge();
        listener();
      });
    },
  };
}
