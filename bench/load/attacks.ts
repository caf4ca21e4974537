import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import {
  channelPath,
  encodeForward,
  openWebChannel,
} from '../../backend/tests/support/clients/web-channel.ts';
import { createWire, localAddress, type Wire } from '../../backend/tests/support/clients/wire.ts';
import { createRestOwner, type RestOwner } from '../backend/rest-owner.ts';
import { postBy } from './wire-post.ts';

/**
 * An attacker with an account and several network addresses. The attacks below once brought the server down or blocked
 * others; each function is one turn, which is repeated.
 */
export interface Attacker {
  readonly port: number;
  readonly wire: Wire;
  /** Ten network addresses with the same account. */
  readonly wires: readonly Wire[];
  readonly owner: RestOwner;
}

type Attack = (attacker: Attacker) => Promise<void>;

/** Network addresses: 127.0.32.0 and up. */
const firstHost = 32 * 256;
const addresses = 10;
const megabyte = 1_000_000;
const database = 'projects/demo-pawpals/databases/(default)';
const heldMs = 5_000;

const text = (value: string) => ({ stringValue: value });
const filter = (fieldPath: string, op: string, value: unknown) => ({
  fieldFilter: { field: { fieldPath }, op, value },
});
const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Signs up and writes 4 MB of notes, whose answers are large. */
export async function prepareAttacker(port: number): Promise<Attacker> {
  const wires = times(addresses, (index) => createWire(port, firstHost + index));
  const [wire] = wires;
  if (wire === undefined) throw new Error('An attacker needs an address');
  const owner = await createRestOwner(wire.origin, postBy(wire));
  for (let notes = 0; notes < 16; notes += 1)
    await owner.commitNote({ formerTexts: text('x'.repeat(250_000)) });
  return { port, wire, wires, owner };
}

const postForm = (wire: Wire, path: string, body: string) =>
  wire.ask({
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  });

/** Sends some bytes on each of many connections, reads nothing, and holds them open for a while. */
async function hold({ port }: Attacker, count: number, bytes: string): Promise<void> {
  const sockets = times(count, (index): Socket => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      ...localAddress(firstHost + (index % addresses)),
    });
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(bytes);
    return socket;
  });
  await wait(heldMs);
  for (const socket of sockets) socket.destroy();
}

const query = (idToken: string, structuredQuery: object): string => {
  const body = JSON.stringify({ structuredQuery });
  return `POST /v1/${database}/documents:runQuery HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${idToken}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
};

const ownNotes = ({ uid }: RestOwner) => ({
  from: [{ collectionId: 'journalEntries', allDescendants: true }],
  where: filter('createdBy', 'EQUAL', text(uid)),
});

export const attacks: ReadonlyMap<string, Attack> = new Map<string, Attack>([
  [
    'S1 messages of 57 MB after a gap, by nobody',
    async ({ wire }) => {
      const large = JSON.stringify('x'.repeat(9.5 * megabyte));
      await postForm(
        wire,
        `${channelPath('Listen')}?VER=8&RID=1`,
        encodeForward(
          times(6, () => large),
          1,
        ),
      );
    },
  ],
  [
    'S2 a cursor with an id of a million digits',
    async ({ wire, owner }) => {
      const referenceValue = `${database}/documents/pets/__id${'9'.repeat(9 * megabyte)}__`;
      const structuredQuery = {
        ...ownNotes(owner),
        orderBy: [{ field: { fieldPath: '__name__' } }],
        endAt: { values: [{ referenceValue }] },
      };
      await postBy(wire)(`/v1/${database}/documents:runQuery`, { structuredQuery }, owner.idToken);
    },
  ],
  [
    'S3 documents without end',
    async ({ owner }) => owner.commitNote({ formerTexts: text('x'.repeat(250_000)) }),
  ],
  [
    'S4 uploads of no announced length that are never finished',
    async ({ wire, owner }) => {
      const name = encodeURIComponent(`pets/${owner.petId}/audios/voice-note-${Date.now()}.webm`);
      const authorization = `Firebase ${owner.idToken}`;
      const { headers } = await wire.ask({
        method: 'POST',
        path: `/v0/b/demo-pawpals.appspot.com/o?name=${name}`,
        headers: {
          authorization,
          'X-Goog-Upload-Protocol': 'resumable',
          'X-Goog-Upload-Command': 'start',
        },
        body: JSON.stringify({ contentType: 'audio/webm' }),
      });
      const { pathname, search } = new URL(String(headers['x-goog-upload-url']));
      await wire.ask({
        method: 'POST',
        path: pathname + search,
        headers: { authorization, 'X-Goog-Upload-Command': 'upload', 'X-Goog-Upload-Offset': '0' },
        body: Buffer.alloc(20 * megabyte),
      });
    },
  ],
  [
    'S5 half a request on 300 connections',
    (attacker) =>
      hold(attacker, 300, 'POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{'),
  ],
  [
    'S6 the account chooser with headers of this machine',
    async ({ wire }) => {
      const headers = {
        Host: '127.0.0.1',
        'X-Forwarded-For': '127.0.0.1',
        'X-Forwarded-Host': 'localhost',
      };
      await wire.ask({ method: 'GET', path: '/emulator/auth/handler', headers });
    },
  ],
  [
    'S7 60 streams of 500 targets with 200 cases each',
    async ({ wires, owner }) => {
      // A number gives two cases, since 1 equals 1.0.
      const one = { integerValue: '1' };
      const values = times(25, (index) => ({ integerValue: String(index) }));
      const filters = [
        ownNotes(owner).where,
        filter('type', 'IN', { arrayValue: { values } }),
        filter('text', 'EQUAL', one),
        filter('at', 'EQUAL', one),
      ];
      const structuredQuery = {
        ...ownNotes(owner),
        where: { compositeFilter: { op: 'AND', filters } },
      };
      const targets = times(500, (index) => ({
        database,
        addTarget: {
          targetId: index + 1,
          query: { parent: `${database}/documents`, structuredQuery },
        },
      }));
      const streams = await Promise.all(
        times(60, async (index) => {
          const wire = wires[index % wires.length];
          if (wire === undefined) return undefined;
          const options = {
            wire,
            name: 'Listen',
            token: owner.idToken,
            messages: targets,
          } as const;
          return openWebChannel({ ...options, onMessage: () => undefined });
        }),
      );
      await owner.commitNote();
      await wait(heldMs);
      await Promise.all(streams.map(async (stream) => stream?.close()));
    },
  ],
  [
    'S8 60 answers that nobody reads, and 60 bodies that do not end',
    async (attacker) => {
      const { owner } = attacker;
      const unfinished = `POST /v1/${database}/documents:commit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000000\r\n\r\n${'x'.repeat(5 * megabyte)}`;
      await Promise.all([
        hold(attacker, 60, query(owner.idToken, ownNotes(owner))),
        hold(attacker, 60, unfinished),
      ]);
    },
  ],
  [
    'S9 2,000 handshakes from 10 addresses',
    async ({ wires }) => {
      await Promise.all(
        wires.map(async (wire) => {
          for (let handshakes = 0; handshakes < 200; handshakes += 1) {
            await postForm(
              wire,
              `${channelPath('Listen')}?VER=8&RID=1`,
              encodeForward([{ database }], 0),
            );
          }
        }),
      );
    },
  ],
]);
