import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import type { Channel, Handshake } from '../stream.ts';
import { createChannelServer } from './channel-server.ts';
import type { Limits } from '../limits/defaults.ts';
import { LimitError } from '../limits/limit-error.ts';
import { silentLog } from '../log.ts';
import { createResources } from '../limits/resources.ts';
import type { SessionTimes } from './session.ts';

function forwardBody(offset: number, messages: readonly unknown[]): string {
  const form = new URLSearchParams({ count: String(messages.length), ofs: String(offset) });
  messages.forEach((each, at) => form.set(`req${at}___data__`, JSON.stringify(each)));
  return form.toString();
}

/** Sets up a server and a client that makes plain requests; each back channel records what it is sent. */
function setUp(times: Partial<SessionTimes> = {}, limits: Partial<Limits> = {}) {
  const clock = createManualClock();
  const received: unknown[] = [];
  const handshakes: Handshake[] = [];
  const onClose = vi.fn<() => void>();
  let channel: Channel | null = null;
  const server = createChannelServer({
    clock,
    times,
    resources: createResources({ clock, limits }),
    log: silentLog,
    open: (handshake, opened) => {
      handshakes.push(handshake);
      channel = opened;
      return Promise.resolve({
        onMessage: (payload) => void received.push(payload),
        onOversized: () => void received.push('oversized'),
        onClose,
      });
    },
  });

  const from =
    (address: string) =>
    (method: string, query: Record<string, string>, body = '') => {
      const answer = { status: 0, body: '' };
      const back = createFakeBack();
      server.handle(
        {
          method,
          path: '/Listen/channel',
          query: new URLSearchParams(query),
          address,
          body: Buffer.from(body),
        },
        {
          answer: (status, text) => Object.assign(answer, { status, body: text }),
          open: (isStreaming, waitMs) => Object.assign(back.channel, { isStreaming, waitMs }),
          onGone: (listener) => void back.gone.push(listener),
          onReady: (listener) => void back.ready.push(listener),
        },
      );
      return { answer, back };
    };

  const request = from('192.0.2.1');
  const { answer } = request('POST', {}, `${forwardBody(0, ['hello'])}&headers=A%3Ab%0D%0A`);
  const sid = /\["c","([^"]+)"/.exec(answer.body)?.[1] ?? '';
  return {
    clock,
    server,
    received,
    handshakes,
    onClose,
    sid,
    handshakeAnswer: answer,
    /** Lets pending promises and microtasks run. */
    settle: async () => {
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    },
    send: (payload: unknown) => channel?.send(payload),
    sendLast: (payload: unknown) => channel?.sendLast(payload),
    post: (offset: number, messages: readonly unknown[], more = {}) =>
      request('POST', { SID: sid, ...more }, forwardBody(offset, messages)).answer,
    get: (acknowledged: number, more = {}) => {
      const query = { RID: 'rpc', SID: sid, AID: String(acknowledged), CI: '0', ...more };
      return request('GET', query);
    },
    raw: request,
    from,
  };
}

function createFakeBack() {
  const chunks: string[] = [];
  const state = { isEnded: false, isDropped: false, isReady: true };
  const gone: (() => void)[] = [];
  const ready: (() => void)[] = [];
  const channel = {
    isStreaming: true,
    waitMs: 0,
    write: (chunk: string) => void chunks.push(chunk),
    end: () => {
      state.isEnded = true;
    },
    drop: () => {
      state.isDropped = true;
    },
    isReady: () => state.isReady,
  };
  return {
    channel,
    chunks,
    state,
    gone,
    ready,
    /** `id:payload` of every message, after checking the length of every frame. */
    messages: () =>
      chunks.flatMap((chunk) => {
        const json = chunk.slice(chunk.indexOf('\n') + 1);
        expect(chunk).toBe(`${json.length}\n${json}`);
        const frame: [number, [unknown]][] = JSON.parse(json);
        return frame.map(([id, [payload]]) => `${id}:${String(payload)}`);
      }),
  };
}

describe('the handshake', () => {
  it('answers a session id of its own for each session, and hands over headers and first messages', async () => {
    const client = setUp();
    await client.settle();
    expect(client.handshakeAnswer).toEqual({
      status: 200,
      body: expect.stringMatching(/^\d+\n\[\[0,\["c","[\w-]{32}","",8,14,30000\]\]\]$/),
    });
    expect(client.handshakes.map((each) => [each.path, each.headers.get('a')])).toEqual([
      ['/Listen/channel', 'b'],
    ]);
    expect(client.received).toEqual(['hello']);
    expect(setUp().sid).not.toBe(client.sid);
  });

  it('answers 400 to a body that is no list of messages', () => {
    expect(setUp().raw('POST', {}, 'nonsense').answer.status).toBe(400);
  });
});

describe('sessions without a sign-in', () => {
  const greet = (client: ReturnType<typeof setUp>, address: string) =>
    client.from(address)('POST', {}, forwardBody(0, [])).answer;
  const few = { sessions: { owner: 2, stranger: 3, address: 5, all: 4 } };

  it('yield to newer ones of their network address, and to those of others last', () => {
    const client = setUp({}, few);
    for (let at = 0; at < 50; at++) expect(greet(client, '198.51.100.7').status).toBe(200);
    expect(greet(client, '198.51.100.8').status).toBe(200);
    expect(client.server.sessionCount()).toBe(4);
    expect(client.post(1, ['still here']).status).toBe(200);
  });

  it('end within seconds unless a connection waits for their messages', () => {
    const client = setUp({}, few);
    greet(client, '198.51.100.7');
    client.get(0);
    client.clock.advance(9000);
    expect(client.server.sessionCount()).toBe(2);
    client.clock.advance(1000);
    expect(client.server.sessionCount()).toBe(1);
  });

  it('are their owners’ once these are known, who have a number of their own', () => {
    const client = setUp({}, few);
    for (let at = 0; at < 3; at++) greet(client, '198.51.100.7');
    const [, first, second, third] = client.handshakes;
    first?.admit('alice');
    second?.admit('alice');
    expect(() => third?.admit('alice')).toThrow(LimitError);
    // None of the sessions of the signed-in user yields to anonymous ones.
    for (let at = 0; at < 50; at++) greet(client, '198.51.100.9');
    expect(() => first?.admit('bob')).not.toThrow();
    expect(client.server.sessionCount()).toBe(4);
  });
});

describe('the back channel', () => {
  it('is sent a noop at once when there is nothing else, so that the client keeps streaming', () => {
    expect(setUp().get(0).back.messages()).toEqual(['1:noop']);
  });

  it('streams messages, those of one turn in one frame', async () => {
    const client = setUp();
    await client.settle();
    client.send('a');
    client.send('b');
    await client.settle();
    const { back } = client.get(0);
    expect(back.messages()).toEqual(['1:a', '2:b']);
    client.send('c');
    client.send('d');
    await client.settle();
    expect(back.chunks.length).toBe(2);
    expect(back.messages()).toEqual(['1:a', '2:b', '3:c', '4:d']);
    expect(back.state.isEnded).toBe(false);
  });

  it('replays exactly the unacknowledged messages', async () => {
    const client = setUp();
    await client.settle();
    for (const payload of ['a', 'b', 'c']) client.send(payload);
    const first = client.get(0).back;
    first.gone.forEach((listener) => listener());
    client.send('d');
    await client.settle();
    expect(first.messages()).toEqual(['1:a', '2:b', '3:c']);
    expect(client.get(1).back.messages()).toEqual(['2:b', '3:c', '4:d']);
    expect(client.get(4).back.messages()).toEqual(['5:noop']);
  });

  it('drops the older one when a second comes', () => {
    const client = setUp();
    const first = client.get(0).back;
    const second = client.get(1).back;
    expect([first.state.isDropped, second.state.isDropped]).toEqual([true, false]);
    first.gone.forEach((listener) => listener());
    expect(client.post(1, [])).toMatchObject({ body: expect.stringMatching(/^\d+\n\[1,/) });
  });

  it('long polling answers and ends with the first data', async () => {
    const client = setUp();
    await client.settle();
    const { back } = client.get(0, { CI: '1' });
    expect([back.messages(), back.state.isEnded]).toEqual([[], false]);
    client.send('a');
    await client.settle();
    expect([back.messages(), back.state.isEnded]).toEqual([['1:a'], true]);
  });

  it('long polling answers a noop within the time the client asks for', () => {
    const client = setUp();
    const { back } = client.get(0, { CI: '1', TO: '5000' });
    client.clock.advance(4000);
    expect(back.messages()).toEqual([]);
    client.clock.advance(1000);
    expect([back.messages(), back.state.isEnded]).toEqual([['1:noop'], true]);
  });

  it('is never silent for as long as announced', () => {
    const client = setUp();
    const { back } = client.get(0);
    for (let second = 0; second < 55; second++) client.clock.advance(1000);
    expect(back.messages()).toEqual(['1:noop', '2:noop', '3:noop']);
  });

  it('is ended after a minute, and after its share of data', async () => {
    const client = setUp({ rotateAfterChars: 100 });
    await client.settle();
    const first = client.get(0).back;
    client.clock.advance(60_000);
    expect(first.state.isEnded).toBe(true);
    const second = client.get(2).back;
    client.send('x'.repeat(100));
    await client.settle();
    expect([second.messages().length, second.state.isEnded]).toEqual([2, true]);
  });

  it('waits for a slow network and goes on when it is ready', async () => {
    const client = setUp();
    await client.settle();
    const { back } = client.get(0);
    back.state.isReady = false;
    client.send('a');
    await client.settle();
    expect(back.messages()).toEqual(['1:noop']);
    back.state.isReady = true;
    back.ready.forEach((listener) => listener());
    expect(back.messages()).toEqual(['1:noop', '2:a']);
  });

  it('splits a large backlog into frames', async () => {
    const client = setUp({ frameChars: 10 });
    await client.settle();
    for (let at = 0; at < 6; at++) client.send(`12345${at}`);
    const { back } = client.get(0);
    expect(back.chunks.length).toBe(3);
    expect(back.messages().length).toBe(6);
  });
});

describe('forward requests', () => {
  it('are handed over in order and once, however they arrive', async () => {
    const client = setUp();
    client.post(3, ['d']);
    client.post(2, ['c', 'd']);
    await client.settle();
    expect(client.received).toEqual(['hello']);
    client.post(1, ['b']);
    client.post(1, ['b']);
    client.post(2, ['c', 'd', 'e']);
    expect(client.received).toEqual(['hello', 'b', 'c', 'd', 'e']);
  });

  it('keep their order also when they come before the session is open', async () => {
    const client = setUp();
    client.post(1, ['b']);
    expect(client.received).toEqual([]);
    await client.settle();
    expect(client.received).toEqual(['hello', 'b']);
  });

  it('answer whether a back channel is open, the last id and what is outstanding', async () => {
    const client = setUp();
    await client.settle();
    const answerOf = (acknowledged: number) =>
      client.post(1, [], { AID: String(acknowledged) }).body.split('\n')[1];
    client.send('ab');
    expect(answerOf(0)).toBe('[0,1,4]');
    client.get(0);
    expect(answerOf(0)).toBe('[1,1,4]');
    expect(answerOf(1)).toBe('[1,1,0]');
  });

  it('answer 400 with the text that the client recognizes when the session is unknown', () => {
    const client = setUp();
    for (const method of ['POST', 'GET']) {
      const { answer } = client.raw(method, { SID: 'gone', AID: '0' }, 'count=0');
      expect(answer).toEqual({ status: 400, body: 'Error: Unknown SID' });
      expect(answer.body.indexOf('Unknown SID')).toBeGreaterThan(0);
    }
  });

  it('end a session that sends nonsense or runs impossibly far ahead', () => {
    for (const broken of [1, 2]) {
      const client = setUp();
      const messages = Array.from({ length: 1001 }, () => 'x');
      const answer =
        broken === 1
          ? client.raw('POST', { SID: client.sid }, 'count=1').answer
          : client.post(5, messages);
      expect(answer.status).toBe(400);
      expect(client.server.sessionCount()).toBe(0);
    }
  });
});

describe('the end of a session', () => {
  it.each(['POST', 'GET'])('comes with a terminate by %s', async (method) => {
    const client = setUp();
    await client.settle();
    const isGone = () => client.handshakes[0]?.client.gone?.aborted;
    expect(isGone()).toBe(false);
    const { answer } = client.raw(method, { SID: client.sid, TYPE: 'terminate' });
    expect(answer).toEqual({ status: 200, body: '' });
    expect(client.onClose).toHaveBeenCalledTimes(1);
    expect(isGone()).toBe(true);
    expect(client.server.sessionCount()).toBe(0);
  });

  it('comes two minutes after the back channel is gone', async () => {
    const client = setUp();
    await client.settle();
    client.handshakes[0]?.admit('alice');
    const { back } = client.get(0);
    client.clock.advance(59_000);
    back.gone.forEach((listener) => listener());
    client.clock.advance(119_000);
    expect(client.server.sessionCount()).toBe(1);
    client.clock.advance(1000);
    expect(client.server.sessionCount()).toBe(0);
    expect(client.onClose).toHaveBeenCalledTimes(1);
  });

  it('comes above the limit of buffered bytes, for the largest session', () => {
    const channelBytes = { owner: 9000, stranger: 9000, address: 9000, all: 3000 };
    const client = setUp({}, { channelBytes });
    client.from('198.51.100.7')('POST', {}, forwardBody(0, ['another']));
    client.post(5, ['x'.repeat(1000)]);
    client.post(6, ['x'.repeat(1000)]);
    expect(client.server.sessionCount()).toBe(2);
    client.post(7, ['x'.repeat(1000)]);
    expect(client.server.sessionCount()).toBe(1);
    expect(client.onClose).not.toHaveBeenCalled();
  });

  it('after the last message nothing of the client is heard', async () => {
    const client = setUp();
    await client.settle();
    client.sendLast('error');
    client.send('too late');
    expect(client.post(1, ['ignored']).status).toBe(200);
    await client.settle();
    expect(client.received).toEqual(['hello']);
    expect(client.get(0).back.messages()).toEqual(['1:error']);
  });

  it('on stop every client is told and every back channel ends', async () => {
    const client = setUp();
    await client.settle();
    const { back } = client.get(0);
    client.server.stop();
    expect([back.messages(), back.state.isEnded]).toEqual([['1:noop', '2:stop'], true]);
    expect(client.onClose).toHaveBeenCalledTimes(1);
  });
});
