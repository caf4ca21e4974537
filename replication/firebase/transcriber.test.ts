import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createTranscriber, transcribeTimeoutMs } from './transcriber.ts';

const never = new AbortController().signal;
const location = 'pets/p1/audios/voice-note-1.webm';

function setUp(answer: (init: RequestInit, url: string) => Response | Promise<Response>) {
  const clock = createFakeClock();
  const tokens: boolean[] = [];
  const transcriber = createTranscriber({
    origin: 'https://app.example',
    idToken: async (isRenewed) => {
      tokens.push(isRenewed);
      return isRenewed ? 'new' : 'old';
    },
    clock,
    fetch: async (input, init = {}) => answer(init, new Request(input).url),
  });
  return { clock, tokens, transcriber };
}

const refusal = (status: number, code: string) =>
  Response.json({ error: { code, message: 'no' } }, { status });

describe('the transcription function', () => {
  it('is asked with the token and the place of the file', async () => {
    const { transcriber } = setUp((init, url) => {
      expect(url).toBe('https://app.example/api/transcribe');
      expect(new Headers(init.headers).get('authorization')).toBe('Bearer old');
      expect(init.body).toBe(JSON.stringify({ fileLocation: location }));
      return Response.json({ text: 'went away' });
    });
    expect(await transcriber.transcribe(location, never)).toEqual({
      text: 'went away',
      rough: false,
    });
  });

  it.each([
    ['a token of App Check', async () => 'app', 'app'],
    ['none, since none can be had', async () => null, null],
    ['none, since nobody asks for one', undefined, null],
  ])('sends %s', async (_, appToken, sent) => {
    const seen: (string | null)[] = [];
    const transcriber = createTranscriber({
      origin: 'https://app.example',
      idToken: async () => 'token',
      ...(appToken === undefined ? {} : { appToken }),
      clock: createFakeClock(),
      fetch: async (_input, init = {}) => {
        seen.push(new Headers(init.headers).get('x-firebase-appcheck'));
        return Response.json({ text: 'went away' });
      },
    });
    await transcriber.transcribe(location, never);
    expect(seen).toEqual([sent]);
  });

  it.each([
    [403, 'permission-denied', 'permanent'],
    [404, 'not-found', 'permanent'],
    [413, 'too-large', 'permanent'],
    [415, 'not-audio', 'permanent'],
    [429, 'too-many', 'transient'],
    [500, 'internal', 'transient'],
    [503, 'no-engine', 'transient'],
    [504, 'timed-out', 'transient'],
  ])('O4.7 %i %s is %s', async (status, code, kind) => {
    const { transcriber } = setUp(() => refusal(status, code));
    await expect(transcriber.transcribe(location, never)).rejects.toMatchObject({
      kind,
      code: `words-${code}`,
    });
  });

  it.each([
    ['a web page with 200', () => new Response('<html>Sign in to the Wi-Fi</html>')],
    ['a web page with 403', () => new Response('<html>', { status: 403 })],
    ['other JSON', () => Response.json({ words: 'x' })],
    ['other JSON with 415', () => Response.json({ nope: 1 }, { status: 415 })],
  ])('O4.7 %s is no answer', async (_name, answer) => {
    const { transcriber } = setUp(answer);
    await expect(transcriber.transcribe(location, never)).rejects.toMatchObject({
      kind: 'transient',
      code: 'not-transcription',
    });
  });

  it('renews a token that is not taken, once', async () => {
    const taken = setUp((init) =>
      new Headers(init.headers).get('authorization') === 'Bearer new'
        ? Response.json({ text: '' })
        : refusal(401, 'unauthenticated'),
    );
    expect(await taken.transcriber.transcribe(location, never)).toMatchObject({ text: '' });
    const refused = setUp(() => refusal(401, 'unauthenticated'));
    await expect(refused.transcriber.transcribe(location, never)).rejects.toMatchObject({
      kind: 'transient',
      code: 'unauthenticated',
    });
    expect(refused.tokens).toEqual([false, true]);
  });

  it('ends at its limit, and with its signal', async () => {
    const stall = (init: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const end = (): void => reject(new Error('aborted'));
        if (init.signal?.aborted === true) end();
        init.signal?.addEventListener('abort', end);
      });
    const { clock, transcriber } = setUp(stall);
    const late = transcriber.transcribe(location, never).catch((error: unknown) => error);
    await clock.advance(transcribeTimeoutMs);
    expect(await late).toMatchObject({ kind: 'transient', code: 'timeout' });
    const stop = new AbortController();
    const stopped = transcriber.transcribe(location, stop.signal).catch((error: unknown) => error);
    stop.abort(new Error('enough'));
    expect(await stopped).toMatchObject({ message: 'enough' });
  });
});
