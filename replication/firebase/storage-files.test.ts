import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { bytesOf } from '../../tests/support/setups/test-outbox.ts';
import { createStorageFiles, operationTimeoutMs, uploadTimeoutMs } from './storage-files.ts';

const file = {
  objectName: 'pets/p1/images/profile.jpg',
  contentType: 'image/jpeg',
  bytes: bytesOf('Rex'),
};
const metadata = { name: file.objectName, size: '3', md5Hash: 'd5Jj7EwbX5lDut7i5F5m+Q==' };
const signal = new AbortController().signal;

function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

function html(status: number): Response {
  return new Response('<html>Welcome to Wi-Fi</html>', { status });
}

const refused = (status: number): Response => json(status, { error: { code: status } });

type Answer = (request: Request) => Response | Promise<Response>;

function filesThat(answer: Answer, tokens: readonly (string | null)[] = ['token']) {
  const clock = createFakeClock();
  const asked: boolean[] = [];
  const files = createStorageFiles({
    config: { serverOrigin: 'http://server.test', storageBucket: 'bucket' },
    idToken: async (isRenewed) => {
      asked.push(isRenewed);
      return tokens[asked.length - 1] ?? tokens.at(-1) ?? null;
    },
    clock,
    fetch: async (input, init) => answer(new Request(input, init)),
  });
  return { files, clock, asked };
}

/** Never answers, but ends when the request is aborted. */
const silence: Answer = (request) =>
  new Promise((_resolve, reject) => {
    const abort = (): void => reject(new Error('aborted'));
    if (request.signal.aborted) abort();
    request.signal.addEventListener('abort', abort);
  });

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    return error;
  }
}

describe('files in Storage', () => {
  it('sends metadata and bytes in one request, with the token and without a cache', async () => {
    const seen: { url: string; headers: Headers; body: string }[] = [];
    const { files } = filesThat(async (request) => {
      seen.push({ url: request.url, headers: request.headers, body: await request.text() });
      return json(200, metadata);
    });
    expect(await files.upload(file, signal)).toMatchObject({ byteLength: 3 });
    const [sent] = seen;
    expect(sent?.url).toBe(
      'http://server.test/v0/b/bucket/o?name=pets%2Fp1%2Fimages%2Fprofile.jpg',
    );
    expect(sent?.headers.get('authorization')).toBe('Firebase token');
    expect(sent?.headers.get('x-goog-upload-protocol')).toBe('multipart');
    expect(sent?.body).toMatch(/"contentType":"image\/jpeg"[^]*\r\n\r\nRex\r\n--[-\w]+--$/);
  });

  it.each([400, 402, 403, 413, 415])(
    "O3.5 %i in Storage's own words is a refusal",
    async (status) => {
      const { files } = filesThat(() => refused(status));
      const expected = { kind: 'permanent', code: `http-${status}` };
      await expect(files.upload(file, signal)).rejects.toMatchObject(expected);
    },
  );

  it.each([
    ['a page', () => html(200), 'not-storage'],
    ['a page that says 403', () => html(403), 'not-storage'],
    ['a page that says 413', () => html(413), 'not-storage'],
    ['bad JSON', () => new Response('{"name":', { status: 200 }), 'not-storage'],
    ['JSON of somebody else', () => json(200, { ok: true }), 'not-storage'],
    ['a refusal of somebody else', () => json(403, { message: 'proxy' }), 'not-storage'],
    ['401', () => refused(401), 'unauthenticated'],
    ['429', () => refused(429), 'http-429'],
    ['503', () => refused(503), 'http-503'],
    ['404', () => refused(404), 'http-404'],
    ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), 'unavailable'],
  ] as const)('O3.5 %s is no refusal', async (_name, answer, code) => {
    const { files } = filesThat(answer);
    const expected = { kind: 'transient', code };
    await expect(files.upload(file, signal)).rejects.toMatchObject(expected);
  });

  it.each([
    [undefined, {}],
    [null, { metadata: { replaces: '' } }],
    ['expected', { metadata: { replaces: 'expected' } }],
  ])('sends the hash of the only file that may be replaced, %s, as %o', async (replaces, sent) => {
    const bodies: string[] = [];
    const { files } = filesThat(async (request) => {
      bodies.push(await request.text());
      return json(200, metadata);
    });
    await files.upload({ ...file, ...(replaces !== undefined && { replaces }) }, signal);
    const { objectName: name, contentType } = file;
    expect(bodies[0]).toContain(`\r\n${JSON.stringify({ name, contentType, ...sent })}\r\n`);
  });

  it('finds no file where Storage has none', async () => {
    const { files } = filesThat(() => refused(404));
    expect(await files.download(file.objectName, signal)).toBeNull();
    expect(await files.stat(file.objectName, signal)).toBeNull();
  });

  it('does not take the page of another server for a missing file', async () => {
    const { files } = filesThat(() => html(404));
    const told = { kind: 'transient', code: 'not-storage' };
    await expect(files.download(file.objectName, signal)).rejects.toMatchObject(told);
  });

  describe('a refusal of an upload that may replace one file only', () => {
    const ownMd5 = metadata.md5Hash;

    /** Refuses the upload, and says on request which file is there. */
    const uploadOver = (there: string | null, replaces?: string | null) => {
      const asked: string[] = [];
      const { files } = filesThat((request) => {
        asked.push(request.method);
        if (request.method === 'POST') return refused(403);
        return there === null ? refused(404) : json(200, { ...metadata, md5Hash: there });
      });
      const expected = replaces === undefined ? {} : { replaces };
      return { asked, uploaded: files.upload({ ...file, ...expected }, signal) };
    };
    const forbidden = { kind: 'permanent', code: 'http-403' };

    it('means that another file is there, which the next attempt compares', async () => {
      const { uploaded } = uploadOver('another', 'expected');
      await expect(uploaded).rejects.toMatchObject({ kind: 'transient', code: 'replaced' });
      const first = uploadOver('another', null);
      await expect(first.uploaded).rejects.toMatchObject({ code: 'replaced' });
    });

    it('is no failure if the file is there already', async () => {
      expect(await uploadOver(ownMd5, 'expected').uploaded).toMatchObject({ md5: ownMd5 });
    });

    it('is a refusal if the expected file is there, or none', async () => {
      await expect(uploadOver('expected', 'expected').uploaded).rejects.toMatchObject(forbidden);
      await expect(uploadOver(null, null).uploaded).rejects.toMatchObject(forbidden);
    });

    it.each([400, 503])('is not asked about after a failure with %s', async (status) => {
      const asked: string[] = [];
      const { files } = filesThat((request) => {
        asked.push(request.method);
        return refused(status);
      });
      const uploaded = files.upload({ ...file, replaces: 'expected' }, signal);
      await expect(uploaded).rejects.toMatchObject({ code: `http-${status}` });
      expect(asked).toEqual(['POST']);
    });

    it('is a refusal if any file may be replaced, without a question', async () => {
      const { asked, uploaded } = uploadOver('another');
      await expect(uploaded).rejects.toMatchObject(forbidden);
      expect(asked).toEqual(['POST']);
    });
  });

  it('O6.3 a file is removed once Storage says so, or that it has none', async () => {
    const seen: string[] = [];
    for (const answer of [new Response(null, { status: 204 }), refused(404)]) {
      const { files } = filesThat((request) => {
        seen.push(`${request.method} ${request.url} ${request.headers.get('authorization') ?? ''}`);
        return answer;
      });
      expect(await files.remove(file.objectName, signal)).toBeUndefined();
    }
    const url = 'http://server.test/v0/b/bucket/o/pets%2Fp1%2Fimages%2Fprofile.jpg';
    expect(seen).toEqual([`DELETE ${url} Firebase token`, `DELETE ${url} Firebase token`]);
  });

  it.each([
    ['a page', () => html(200), 'not-storage'],
    ['a page that is not found', () => html(404), 'not-storage'],
    ['401', () => refused(401), 'unauthenticated'],
    ['503', () => refused(503), 'http-503'],
  ] as const)('O6.3 %s has removed nothing', async (_name, answer, code) => {
    const { files } = filesThat(answer);
    const expected = { kind: 'transient', code };
    await expect(files.remove(file.objectName, signal)).rejects.toMatchObject(expected);
  });

  it('O3.5 a token that is not taken is renewed once', async () => {
    const { files, asked } = filesThat(
      (request) =>
        request.headers.get('authorization') === 'Firebase new'
          ? json(200, metadata)
          : refused(401),
      ['old', 'new'],
    );
    expect(await files.upload(file, signal)).toMatchObject({ byteLength: 3 });
    expect(asked).toEqual([false, true]);
  });

  it('O3.2 without a token nothing is sent', async () => {
    const { files } = filesThat(() => Promise.reject(new Error('was sent')), [null]);
    const expected = { kind: 'transient', code: 'unauthenticated' };
    await expect(files.upload(file, signal)).rejects.toMatchObject(expected);
  });

  it.each([
    ['an upload', uploadTimeoutMs, 600_000],
    ['another operation', operationTimeoutMs, 120_000],
  ] as const)('O3.6 %s without an answer ends at its limit', async (name, limitMs, wordsMs) => {
    expect(limitMs).toBe(wordsMs);
    const { files, clock } = filesThat(silence);
    const call =
      name === 'an upload' ? files.upload(file, signal) : files.stat(file.objectName, signal);
    const failure = failureOf(call);
    await clock.advance(limitMs - 1);
    expect(await Promise.race([failure, Promise.resolve('waits')])).toBe('waits');
    await clock.advance(1);
    expect(await failure).toMatchObject({ kind: 'transient', code: 'timeout' });
  });

  it('O3.6 an answer whose body stalls ends at the limit too', async () => {
    const { files, clock } = filesThat((request) => {
      const stalled = new ReadableStream({
        start: (controller) => {
          request.signal.addEventListener('abort', () => controller.error(new Error('aborted')));
        },
      });
      return new Response(stalled, { status: 200 });
    });
    const failure = failureOf(files.stat(file.objectName, signal));
    await clock.advance(operationTimeoutMs);
    expect(await failure).toMatchObject({ code: 'timeout' });
  });

  it('D11.4 ends with the signal, and with its reason', async () => {
    const stop = new AbortController();
    const { files } = filesThat(silence);
    const failure = failureOf(files.upload(file, stop.signal));
    const reason = new Error('the lock is lost');
    stop.abort(reason);
    expect(await failure).toBe(reason);
  });

  it('O3.7 bytes that are not those of the metadata are not handed out', async () => {
    const { files } = filesThat((request) =>
      request.url.includes('alt=media') ? new Response('Re') : json(200, metadata),
    );
    const expected = { kind: 'transient', code: 'not-confirmed' };
    await expect(files.download(file.objectName, signal)).rejects.toMatchObject(expected);
  });
});
