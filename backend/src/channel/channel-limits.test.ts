import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import type { Limits } from '../limits/defaults.ts';
import { createResources } from '../limits/resources.ts';
import { silentLog } from '../log.ts';
import type { Handshake } from '../stream.ts';
import { createChannelServer } from './channel-server.ts';

interface Options {
  readonly takesLarge?: boolean;
  readonly limits?: Partial<Limits>;
}

/** Sets up a server with one session that a message opened, and a function that posts to it. */
function setUp({ takesLarge = false, limits = {} }: Options = {}) {
  const handshakes: Handshake[] = [];
  const onClose = vi.fn<() => void>();
  const received: unknown[] = [];
  const clock = createManualClock();
  const server = createChannelServer({
    clock,
    resources: createResources({
      clock,
      limits: {
        listenRequestBytes: 500,
        writeRequestBytes: 9000,
        channelBytes: { owner: 200, stranger: 100, address: 1000, all: 1000 },
        ...limits,
      },
    }),
    log: silentLog,
    open: (handshake) => {
      handshakes.push(handshake);
      return Promise.resolve({
        takesLargeMessages: takesLarge,
        onMessage: (payload) => void received.push(payload),
        onOversized: () => undefined,
        onClose,
      });
    },
  });
  const post = (query: string, offset: number, text: string | null) => {
    const answer = { status: 0, body: '' };
    const form = { count: '1', ofs: String(offset), req0___data__: text ?? '' };
    server.handle(
      {
        method: 'POST',
        path: '/Listen/channel',
        query: new URLSearchParams(query),
        address: '192.0.2.1',
        body: text === null ? null : Buffer.from(new URLSearchParams(form).toString()),
      },
      {
        answer: (status, body) => Object.assign(answer, { status, body }),
        open: () => {
          throw new Error('There is no back channel.');
        },
        onGone: () => undefined,
        onReady: () => undefined,
      },
    );
    return answer;
  };
  const sid = /\["c","([^"]+)"/.exec(post('', 0, '"hello"').body)?.[1] ?? '';
  return {
    server,
    clock,
    received,
    handshakes,
    onClose,
    sid,
    greet: (text: string) => post('', 0, text),
    post: (offset: number, text: string | null) => post(`SID=${sid}`, offset, text).status,
    settle: async () => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
  };
}

const textOf = (chars: number) => JSON.stringify('x'.repeat(chars - 2));

describe('the messages of a client', () => {
  it.each([
    [false, 500],
    [true, 9000],
  ])(
    'is taken as its handler takes it (large: %s), and little before',
    async (takesLarge, bytes) => {
      const client = setUp({ takesLarge });
      const maxBytes = (query: string) => client.server.expect(new URLSearchParams(query)).maxBytes;
      expect([maxBytes(''), maxBytes(`SID=${client.sid}`), maxBytes('SID=gone')]).toEqual([
        500, 500, 0,
      ]);
      await client.settle();
      expect(maxBytes(`SID=${client.sid}`)).toBe(bytes);
    },
  );

  it('ends the session when too much waits for its turn', () => {
    for (const text of [textOf(101), null]) {
      const client = setUp();
      expect(client.post(1, text)).toBe(400);
      expect(client.server.sessionCount()).toBe(0);
      expect(client.greet(textOf(101)).status).toBe(400);
      expect(client.server.sessionCount()).toBe(0);
    }
  });

  it.each(['before', 'after'])(
    'ends the session when it is no JSON, %s it is open',
    async (when) => {
      const client = setUp();
      if (when === 'after') await client.settle();
      client.post(1, '{');
      await client.settle();
      expect([client.server.sessionCount(), client.received]).toEqual([0, ['hello']]);
      expect(client.onClose).toHaveBeenCalledTimes(1);
    },
  );
});

it('owners who have taken all sessions yield to one who has none', () => {
  const sessions = { owner: 2, stranger: 3, address: 5, all: 3 };
  const { server, greet, handshakes } = setUp({ limits: { sessions } });
  for (const text of ['"b"', '"c"']) greet(text);
  for (const [at, each] of handshakes.entries()) each.admit(at < 2 ? 'mallory' : 'eve');
  expect(greet('"d"').status).toBe(200);
  handshakes.at(-1)?.admit('alice');
  expect(server.sessionCount()).toBe(3);
});

it('an idle session ends in time although the clock was set back', () => {
  const { server, clock } = setUp({ limits: { strangerIdleMs: 10_000 } });
  clock.advance(9000);
  clock.set(clock.now() - 3_600_000);
  expect(server.sessionCount()).toBe(1);
  clock.advance(1000);
  expect(server.sessionCount()).toBe(0);
});
