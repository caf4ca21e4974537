import { deleteApp, initializeApp } from 'firebase/app';
import { initializeFirestore, setLogLevel } from 'firebase/firestore/lite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createFakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createFirestoreDocuments, type FirestoreDocuments } from './firestore-documents.ts';
import { createPatientFetch } from './patient-fetch.ts';

setLogLevel('silent');

const url = 'http://server/v1/projects/p/databases/(default)/documents:runQuery';
const silenceMs = 20_000;

interface Sent {
  readonly signal: AbortSignal;
  /** The status and the beginning of the answer. */
  begin(): void;
  bytes(text: string): void;
  end(): void;
}

/** A server whose answers a test sends piece by piece. */
function createRig() {
  const clock = createFakeClock();
  const sent: Sent[] = [];
  const send = vi.fn<typeof fetch>(
    (_input, init) =>
      new Promise<Response>((resolve, reject) => {
        const signal = init?.signal ?? new AbortController().signal;
        const pieces = new TransformStream<Uint8Array, Uint8Array>();
        const writer = pieces.writable.getWriter();
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          void writer.abort(signal.reason).catch(() => undefined);
        });
        sent.push({
          signal,
          begin: () => resolve(new Response(pieces.readable, { status: 200 })),
          bytes: (text) => void writer.write(new TextEncoder().encode(text)),
          end: () => void writer.close(),
        });
      }),
  );
  const patient = createPatientFetch({ send, clock, silenceMs });
  const post = () => patient.fetch(url, { method: 'POST', body: '{}' });
  const at = (index: number): Sent => {
    const one = sent[index];
    if (!one) throw new Error('not sent');
    return one;
  };
  return { clock, send, patient, post, at };
}

describe('a request of the SDK', () => {
  it('D3.13 lives for as long as bytes arrive, however long that takes', async () => {
    const { clock, post, at } = createRig();
    const answer = post();
    at(0).begin();
    for (let second = 0; second < 300; second += 15) {
      at(0).bytes('x');
      await clock.advance(15_000);
    }
    at(0).end();
    expect(await (await answer).text()).toBe('x'.repeat(20));
    expect(at(0).signal.aborted).toBe(false);
  });

  it('D3.13 is aborted after a silence, and fails as the SDK expects it of a gateway', async () => {
    const { clock, post, at } = createRig();
    const answer = post();
    const failed = answer.catch((error: unknown) => error);
    at(0).begin();
    at(0).bytes('half of the ');
    await clock.advance(2 * silenceMs);
    expect(await failed).toEqual({ status: 504 });
    expect(at(0).signal.aborted).toBe(true);
  });

  it('D3.13 is aborted as well if nothing at all comes', async () => {
    const { clock, post, at } = createRig();
    const failed = post().catch((error: unknown) => error);
    await clock.advance(silenceMs - 1);
    expect(at(0).signal.aborted).toBe(false);
    await clock.advance(silenceMs);
    expect(await failed).toEqual({ status: 504 });
    expect(at(0).signal.aborted).toBe(true);
  });

  it('D3.13 may be silent while another one is heard: it stands in line', async () => {
    const { clock, post, at } = createRig();
    const [first, second] = [post(), post()];
    at(0).begin();
    for (let second15 = 0; second15 < 10; second15 += 1) {
      at(0).bytes('x');
      await clock.advance(15_000);
    }
    expect(at(1).signal.aborted).toBe(false);
    at(0).end();
    at(1).begin();
    at(1).end();
    expect((await first).status).toBe(200);
    expect((await second).status).toBe(200);
  });

  it('D3.13 has no timer left when nothing is under way', async () => {
    const { clock, post, at } = createRig();
    const after = vi.spyOn(clock, 'after');
    const answer = post();
    at(0).begin();
    at(0).end();
    await answer;
    await clock.advance(10 * silenceMs);
    expect(after.mock.calls.length).toBeLessThanOrEqual(2);
    const later = post();
    at(1).begin();
    at(1).end();
    expect((await later).status).toBe(200);
  });

  it('D3.13 is aborted when nobody waits for it any more', async () => {
    const { patient, post, at } = createRig();
    const failed = post().catch((error: unknown) => error);
    patient.abandon();
    expect(await failed).toEqual({ status: 499 });
    expect(at(0).signal.aborted).toBe(true);
  });

  it('D3.13 passes a failure of the network and a refusal on', async () => {
    const { send, post } = createRig();
    send.mockRejectedValueOnce(new TypeError('no network'));
    await expect(post()).rejects.toThrow('no network');
    send.mockResolvedValueOnce(Response.json({ error: {} }, { status: 403, statusText: 'No' }));
    const refused = await post();
    expect([refused.ok, refused.status, refused.statusText]).toEqual([false, 403, 'No']);
    expect(await refused.json()).toEqual({ error: {} });
  });

  it('D3.13 leaves requests of others alone', async () => {
    const { send, patient } = createRig();
    const answer = new Response('picture');
    const { signal } = new AbortController();
    for (const [input, init] of [
      ['http://server/v0/b/bucket/o/x', { method: 'POST' }],
      [new Request('http://server/v1/x'), undefined],
      [url, { method: 'GET' }],
      [url, { method: 'POST', signal }],
    ] as const) {
      send.mockResolvedValueOnce(answer);
      expect(await patient.fetch(input, init)).toBe(answer);
      expect(send).toHaveBeenLastCalledWith(input, init);
    }
  });
});

describe('an answer of status 200 that the server breaks off with an error', () => {
  const root = 'projects/demo-pawpals/databases/(default)/documents';
  const atTime = '2024-01-01T00:00:00.000000Z';

  /** The documents of a server that gives this answer, as the SDK reads it. */
  function documentsOf(answer: string): FirestoreDocuments {
    const clock = createFakeClock();
    const patient = createPatientFetch({ send: async () => new Response(answer), clock });
    vi.stubGlobal('fetch', patient.fetch);
    const app = initializeApp({ projectId: 'demo-pawpals' }, crypto.randomUUID());
    onTestFinished(() => deleteApp(app));
    return createFirestoreDocuments({
      firestore: initializeFirestore(app, { host: 'localhost:1', ssl: false }),
      uid: 'u1',
      clock,
      probe: async () => false,
      isSignedIn: () => true,
      requests: patient,
    });
  }

  const found = (text: string) => ({
    name: `${root}/pets/p1/journalEntries/e1`,
    fields: { createdBy: { stringValue: 'u1' }, text: { stringValue: text } },
    createTime: atTime,
    updateTime: atTime,
  });
  const row = (text: string) => ({ document: found(text), readTime: atTime });
  const broken = (code: number) => ({ error: { code, message: 'No.', details: [{ code: 1 }] } });

  it.each([
    ['a page', (documents: FirestoreDocuments) => documents.pull('entries', 0, 100)],
    ['a whole collection', (documents: FirestoreDocuments) => documents.scan('entries', null, 9)],
    ['the head', (documents: FirestoreDocuments) => documents.readHead()],
    ['a sum', (documents: FirestoreDocuments) => documents.sumOfSeqs('pets')],
  ])('D1.5 is no shorter list, but a failure of the request for %s', async (_, ask) => {
    for (const indent of [0, 2]) {
      const answer = JSON.stringify([row('ducks'), broken(503)], null, indent);
      const failure = { kind: 'transient', code: 'unavailable' };
      await expect(ask(documentsOf(answer))).rejects.toMatchObject(failure);
    }
  });

  it('D1.5 fails with the code of the error', async () => {
    const documents = documentsOf(JSON.stringify([row('ducks'), broken(429)]));
    const failure = { kind: 'transient', code: 'resource-exhausted' };
    await expect(documents.pull('entries', 0, 100)).rejects.toMatchObject(failure);
  });

  it('D1.5 is not confused with a note that reads like one', async () => {
    const text = JSON.stringify([broken(503)]);
    const documents = documentsOf(JSON.stringify([row(text)]));
    expect(await documents.pull('entries', 0, 100)).toMatchObject([{ fields: { text } }]);
  });
});
