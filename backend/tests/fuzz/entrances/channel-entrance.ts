import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { int, setWrite } from '../../support/firestore-json.ts';
import { databaseNames } from '../../support/test-database.ts';
import {
  channelPath,
  createFrameReader,
  encodeForward,
} from '../../support/clients/web-channel.ts';
import type { WireAnswer } from '../../support/clients/wire.ts';
import { ask, type Entrance, type Lane, type Step } from './lane.ts';
import { maybeMutated, mutateJson } from '../input/mutations.ts';
import { anyDocument, anyPath, anyQueryOf } from '../input/random-documents.ts';

interface OpenSession {
  readonly name: 'Listen' | 'Write';
  readonly sid: string;
  /** The number of messages sent so far, including those of the handshake. */
  sent: number;
}

const maxOpen = 8;
const longestReadMs = 150;
const patienceMs = 20_000;
const numbers = [
  '0',
  '1',
  '2',
  '10',
  '999999999',
  '9999999999',
  '-1',
  '1.5',
  '1e3',
  'NaN',
  '',
  ' ',
  '٣',
];

/**
 * Sends WebChannel requests in every order, with valid and invalid counts, offsets, ids and messages; the answers must be
 * complete frames of messages in order. Besides, a session follows the protocol over a bad network.
 */
export const channelEntrance: Entrance = (lane) => {
  const { random } = lane;
  const open: OpenSession[] = [];
  const drop = (session: OpenSession) => void open.splice(open.indexOf(session), 1);
  const other: readonly ((session: OpenSession) => Promise<void>)[] = [
    (session) => forward(lane, session),
    (session) => forward(lane, session),
    (session) => readSome(lane, session),
    async (session) => {
      drop(session);
      await terminate(lane, session);
    },
  ];
  const steps: readonly Step[] = [
    async () => {
      const session = await shakeHands(lane);
      if (session !== undefined) open.push(session);
      const [first] = open;
      if (open.length <= maxOpen || first === undefined) return;
      drop(first);
      await terminate(lane, first);
    },
    () => askNonsense(lane, open),
    () => keepToTheProtocol(lane),
  ];
  return async () => {
    if (open.length > 0 && random.below(3) > 0) return random.pick(other)(random.pick(open));
    return random.pick(steps)();
  };
};

function anyMessage({ random, id }: Lane, name: 'Listen' | 'Write'): unknown {
  const collection = `ch${id}`;
  const { structuredQuery } = anyQueryOf(random, collection);
  const target = {
    targetId: random.below(5),
    query: { parent: databaseNames.documents, structuredQuery },
    ...(random.below(4) === 0
      ? { resumeToken: Buffer.from(String(random.below(1e9))).toString('base64') }
      : {}),
  };
  const message =
    name === 'Write'
      ? { writes: [setWrite(anyPath(random, collection), anyDocument(random))] }
      : random.pick<object>([
          { addTarget: target },
          { addTarget: target },
          { removeTarget: random.below(5) },
        ]);
  const addressed = { database: databaseNames.database, ...message };
  return random.below(3) === 0 ? mutateJson(random, addressed) : addressed;
}

function anyMessages(lane: Lane, name: 'Listen' | 'Write'): unknown[] {
  const count = lane.random.below(20) === 0 ? 300 : lane.random.below(4);
  const messages = Array.from({ length: count }, () => anyMessage(lane, name));
  return lane.random.below(10) === 0 ? [...messages, '{"not": json'] : messages;
}

const post = (lane: Lane, path: string, body: string) => {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return ask(lane, { method: 'POST', path, headers, body });
};

async function shakeHands(lane: Lane): Promise<OpenSession | undefined> {
  const { random } = lane;
  const name = random.pick(['Listen', 'Write'] as const);
  const token = random.pick([lane.token, lane.token, lane.token, '', 'x', `${lane.token}x`]);
  const greeting = name === 'Write' ? [{ database: databaseNames.database }] : [];
  const messages = [...greeting, ...anyMessages(lane, name)];
  const form = encodeForward(messages, random.below(8) === 0 ? random.below(1000) : 0, token);
  const sid = sidOf(
    await post(lane, `${channelPath(name)}?VER=8&RID=1`, maybeMutated(random, form)),
  );
  return sid === undefined ? undefined : { name, sid, sent: messages.length };
}

async function forward(lane: Lane, session: OpenSession): Promise<void> {
  const { random } = lane;
  const { name, sid } = session;
  const messages = anyMessages(lane, name);
  const offset = random.pick([
    session.sent,
    session.sent,
    session.sent,
    0,
    session.sent + 5,
    999_999_999,
  ]);
  if (offset === session.sent) session.sent += messages.length;
  const form = encodeForward(messages, offset);
  const garbled =
    random.below(4) === 0 ? form.replace(/(count|ofs)=\d+/, `$1=${random.pick(numbers)}`) : form;
  const query = `VER=8&RID=${random.below(50)}&SID=${sid}&AID=${encodeURIComponent(random.pick(numbers))}`;
  await post(lane, `${channelPath(name)}?${query}`, garbled);
}

/** Opens a back channel, streaming or not, and closes it after a moment or when it is answered. */
async function readSome(lane: Lane, { name, sid }: OpenSession): Promise<void> {
  const { random, wire } = lane;
  const mode = random.pick(['', '&CI=1', '&CI=1&TO=1', '&CI=0&TO=5', '&TYPE=xmlhttp']);
  const path = `${channelPath(name)}?VER=8&RID=rpc&SID=${sid}&AID=${encodeURIComponent(random.pick(numbers))}${mode}`;
  const end = lane.journal.begin(lane.entrance, `GET ${path}`);
  const stop = new AbortController();
  let last = -1;
  const onText = createFrameReader((id) => {
    assert.ok(last === -1 || id === last + 1, `message ${id} came after ${last}`);
    last = id;
  });
  void wait(random.below(longestReadMs)).then(() => stop.abort());
  const status = await wire.stream({ path, onText, signal: stop.signal });
  assert.notEqual(status, 500);
  end(`read ${status}`);
}

const terminate = async (lane: Lane, { name, sid }: OpenSession): Promise<void> => {
  await ask(lane, { method: 'POST', path: `${channelPath(name)}?SID=${sid}&TYPE=terminate` });
};

/** Sends requests with the parameters of other sessions, or of none. */
async function askNonsense(lane: Lane, open: readonly OpenSession[]): Promise<void> {
  const { random } = lane;
  const known = open.length > 0 ? random.pick(open).sid : 'none';
  const query = new URLSearchParams();
  for (const name of ['VER', 'RID', 'SID', 'AID', 'CI', 'TO', 'TYPE', 'count', 'zx', 't']) {
    if (random.below(2) === 0) continue;
    const values =
      name === 'SID' ? [known, `${known}x`, ''] : ['rpc', 'terminate', 'xmlhttp', ...numbers];
    query.append(name, random.pick(values));
    if (random.below(10) === 0) query.append(name, random.pick(values));
  }
  const form = encodeForward(anyMessages(lane, 'Listen'), random.below(3), lane.token);
  const name = random.pick(['Listen', 'Write'] as const);
  const path = `${channelPath(name)}?${query.toString()}`;
  const method = random.pick(['POST', 'POST', 'PUT', 'DELETE', 'HEAD', 'PATCH']);
  const body = random.below(3) === 0 ? form : maybeMutated(random, form);
  const sid = sidOf(await ask(lane, { method, path, body }));
  // A few sessions stay open, for the server to expire.
  if (sid !== undefined && random.below(20) > 0) await terminate(lane, { name, sid, sent: 0 });
}

/** Returns the id of the session that a handshake has opened. */
const sidOf = ({ bytes }: WireAnswer): string | undefined =>
  /\["c","([^"]+)"/.exec(bytes.toString())?.[1];

/** Checks that batches which arrive split, repeated and out of order are committed once and answered in order. */
async function keepToTheProtocol(lane: Lane): Promise<void> {
  const { random, wire } = lane;
  const end = lane.journal.begin(lane.entrance, 'a session that keeps to the protocol');
  const path = channelPath('Write');
  const document = `ch${lane.id}/ordered`;
  const greeting = await post(
    lane,
    `${path}?VER=8&RID=1`,
    encodeForward([{ database: databaseNames.database }], 0, lane.token),
  );
  const sid = sidOf(greeting);
  if (sid === undefined) return end('refused session');
  const batches = Array.from({ length: 1 + random.below(5) }, (_, n) => ({
    writes: [setWrite(document, { n: int(n) })],
  }));
  const requests = batches.flatMap((batch, at) => {
    const request = { offset: at + 1, messages: batches.slice(at, at + 1 + random.below(2)) };
    return random.below(3) === 0 ? [request, { offset: at + 1, messages: [batch] }] : [request];
  });
  // The requests are sent in random order, all at once.
  const shuffled = requests
    .map((request) => ({ request, place: random.below(1000) }))
    .toSorted((a, b) => a.place - b.place);
  const statuses = await Promise.all(
    shuffled.map(({ request: { offset, messages } }, at) =>
      post(lane, `${path}?VER=8&RID=${at + 2}&SID=${sid}`, encodeForward(messages, offset)),
    ),
  );
  if (statuses.every(({ status }) => status === 200)) {
    const answers = await readAnswers(lane, sid, batches.length + 1);
    const times = answers.slice(1).map((each) => /"commitTime":"([^"]+)"/.exec(each)?.[1] ?? '');
    assert.ok(!times.includes(''), `every batch is acknowledged: ${answers.join(' ')}`);
    assert.deepEqual(times, times.toSorted(), 'the batches are committed in order');
    const url = `/v1/${databaseNames.documents}:batchGet`;
    const headers = { Authorization: `Bearer ${lane.token}` };
    const body = JSON.stringify({ documents: [databaseNames.toName(document)] });
    const { bytes } = await wire.ask({ method: 'POST', path: url, headers, body });
    assert.match(bytes.toString(), new RegExp(`"integerValue":"${batches.length - 1}"`));
  }
  await ask(lane, { method: 'POST', path: `${path}?SID=${sid}&TYPE=terminate` });
  end('session');
}

/** Reads by long polling until all expected answers have arrived; drops some and requests them again. */
async function readAnswers({ random, wire }: Lane, sid: string, count: number): Promise<string[]> {
  const answers: string[] = [];
  let read = 0;
  const startMs = Date.now();
  while (answers.length < count) {
    assert.ok(Date.now() - startMs < patienceMs, `there are only ${answers.join(' ')}`);
    const query = `VER=8&RID=rpc&SID=${sid}&AID=${read}&CI=1&TO=2000`;
    const { status, bytes } = await wire.ask({
      method: 'GET',
      path: `${channelPath('Write')}?${query}`,
    });
    assert.equal(status, 200, bytes.toString());
    if (random.below(4) === 0) continue;
    createFrameReader((id, payload) => {
      assert.equal(id, read + 1, 'messages come without a gap');
      read = id;
      const text = JSON.stringify(payload);
      if (text !== '["noop"]') answers.push(text);
    })(bytes.toString());
  }
  return answers;
}
