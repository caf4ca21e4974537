import { newEmail, testPassword } from '../../support/clients/sdk-user.ts';
import { channelPath, encodeForward } from '../../support/clients/web-channel.ts';
import { databaseNames } from '../../support/test-database.ts';
import type { Random } from '../random.ts';
import type { Lane } from '../entrances/lane.ts';
import { maybeMutated, mutateJson, nasty } from './mutations.ts';
import { anyDocument, anyPath, anyQueryOf } from './random-documents.ts';

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly type?: string;
}

const accountMethods = [
  'signUp',
  'signInWithPassword',
  'lookup',
  'update',
  'delete',
  'sendOobCode',
  'resetPassword',
  'signInWithIdp',
  'createAuthUri',
  'signInWithCustomToken',
];

/** Calls for an account that does not exist, so that none affects the neighbour. */
function accountCall({ random }: Lane): Parts {
  const known = {
    email: random.pick(['nobody@example.com', newEmail()]),
    password: random.pick([testPassword, 'x']),
    idToken: 'x.y.z',
    oobCode: 'x',
    newPassword: testPassword,
    requestType: 'PASSWORD_RESET',
    postBody: 'id_token=x&providerId=google.com',
    requestUri: 'http://localhost',
    returnSecureToken: true,
    continueUrl: 'http://localhost/x',
  };
  // Accounts are permanent, so only a few are created.
  const methods = random.below(20) === 0 ? accountMethods : accountMethods.slice(1);
  const target = `/identitytoolkit.googleapis.com/v1/accounts:${random.pick(methods)}?key=k`;
  return { method: 'POST', target, body: jsonOf(random, known) };
}

const refreshCall = ({ random }: Lane): Parts => ({
  method: 'POST',
  target: '/securetoken.googleapis.com/v1/token?key=k',
  body: maybeMutated(random, 'grant_type=refresh_token&refresh_token=x'),
  type: 'application/x-www-form-urlencoded',
});

const jsonOf = (random: Random, json: unknown): string => {
  const text = JSON.stringify(random.below(3) > 0 ? json : mutateJson(random, json)) ?? '';
  return random.below(5) === 0 ? maybeMutated(random, text) : text;
};

function firestoreCall({ random, id }: Lane): Parts {
  const collection = `h${id}`;
  const { structuredQuery } = anyQueryOf(random, collection);
  const name = databaseNames.toName(anyPath(random, collection));
  const writes = [{ update: { name, fields: anyDocument(random) } }, { delete: name }];
  const [method, body] = random.pick<readonly [string, unknown]>([
    ['commit', { writes }],
    ['batchGet', { documents: [name] }],
    ['runQuery', { structuredQuery }],
    [
      'runAggregationQuery',
      { structuredAggregationQuery: { structuredQuery, aggregations: [{ count: {} }] } },
    ],
    ['listen', {}],
    ['beginTransaction', {}],
  ]);
  const target = `/v1/${random.pick([databaseNames.documents, databaseNames.database, name])}:${method}`;
  return { method: 'POST', target: encodeURI(target), body: jsonOf(random, body) };
}

const documentParameters = [
  'mask.fieldPaths',
  'updateMask.fieldPaths',
  'currentDocument.exists',
  'currentDocument.updateTime',
  'documentId',
  'pageSize',
  'pageToken',
  'orderBy',
  'readTime',
];

function documentCall({ random, id }: Lane): Parts {
  const path = anyPath(random, `h${id}`);
  const parameters = new URLSearchParams();
  for (const name of documentParameters) {
    const value = random.pick(['a', 'a.b', '`a`', 'true', '5', 'a desc', String(nasty(random))]);
    if (random.below(4) === 0) parameters.append(name, value);
  }
  const name = random.below(2) === 0 ? path : path.slice(0, path.lastIndexOf('/'));
  return {
    method: random.pick(['GET', 'PATCH', 'DELETE', 'POST', 'PUT']),
    target: `${encodeURI(`/v1/${databaseNames.toName(name)}`)}?${parameters.toString()}`,
    body: jsonOf(random, { fields: anyDocument(random) }),
  };
}

function channelCall({ random, token }: Lane): Parts {
  const form = encodeForward([{ database: databaseNames.database }], 0, token);
  const target = `${channelPath('Listen')}?VER=8&RID=1&SID=none&AID=1`;
  return { method: random.pick(['GET', 'POST']), target, body: maybeMutated(random, form) };
}

const storageCall = ({ random, id }: Lane): Parts => ({
  method: random.pick(['GET', 'PATCH', 'DELETE', 'HEAD', 'POST']),
  target: `/v0/b/demo-pawpals.appspot.com/o/http${id}%2f${random.below(5)}?alt=media`,
  body: jsonOf(random, { contentType: 'text/plain' }),
});

const targets = [
  '/',
  '/index.html',
  '/__/health',
  '/emulator/auth/handler',
  '/emulator/auth/iframe',
  '/identitytoolkit.googleapis.com/v1/projects',
  '/identitytoolkit.googleapis.com/v2/passwordPolicy',
  '//evil.example/x',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/a%00b',
  '/%ff',
  '*',
  'http://localhost/__/health',
  'localhost:80',
  '',
  '/?'.repeat(200),
  `/${'x'.repeat(20_000)}`,
];

const pageCall = ({ random }: Lane): Parts => ({
  method: random.pick([
    'GET',
    'HEAD',
    'POST',
    'OPTIONS',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'get',
    'X',
  ]),
  target: random.pick(targets),
  body: random.pick(['', 'a=b', 'x'.repeat(70_000)]),
});

const calls = [
  accountCall,
  refreshCall,
  firestoreCall,
  firestoreCall,
  documentCall,
  channelCall,
  storageCall,
  pageCall,
];

/** Header lines that change how a request is parsed. */
const headerLines = [
  'Origin: http://localhost',
  'Origin: http://evil.example',
  'Origin: null',
  'Access-Control-Request-Method: POST',
  'Expect: 100-continue',
  'Expect: 200-ok',
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Content-Encoding: gzip',
  'Accept-Encoding: gzip, br',
  'Range: bytes=0-0,2-3',
  'If-None-Match: *',
  'If-Modified-Since: x',
  'Content-Length: 5',
  'Content-Length: -1',
  'Content-Length: 99999999999999999999',
  'Transfer-Encoding: identity',
  'X-Forwarded-For: 1.2.3.4, ::1, x',
  'X-Forwarded-Host: evil.example',
  'X-Goog-Upload-Command: start',
  'Host: evil.example',
  'X: a\r\n folded',
  `X: ${'y'.repeat(20_000)}`,
  ': x',
  'X',
  'X:\0',
];

const hosts = ['localhost', '127.0.0.1:80', '[::1]', 'evil.example', ''];

/** Returns the bytes of one request, each as a character. */
export function anyRequest(lane: Lane): string {
  const { random, token } = lane;
  const { method, target, type = 'application/json', ...call } = random.pick(calls)(lane);
  const body = Buffer.from(call.body).toString('latin1');
  const lines = [
    `${method} ${maybeMutatedTarget(random, target)} ${random.below(20) === 0 ? random.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/1.1x', '']) : 'HTTP/1.1'}`,
    `Host: ${random.below(8) === 0 ? random.pick(hosts) : 'localhost'}`,
    `Authorization: ${random.below(4) > 0 ? `Bearer ${token}` : random.pick([`Firebase ${token}`, 'Bearer x', ''])}`,
    `Content-Type: ${type}`,
  ];
  for (let more = random.below(6) - 3; more > 0; more--) lines.push(random.pick(headerLines));
  const isChunked = random.below(4) === 0;
  lines.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  if (random.below(2) === 0) lines.push('Connection: close');
  return `${lines.join('\r\n')}\r\n\r\n${isChunked ? inChunks(random, body) : body}`;
}

const maybeMutatedTarget = (random: Random, target: string): string =>
  random.below(6) === 0 ? maybeMutated(random, target) : target;

/** Encodes a body in chunks of any size; sometimes with extensions, trailers, or a wrong size. */
function inChunks(random: Random, body: string): string {
  let text = '';
  for (let at = 0; at < body.length;) {
    const size = 1 + random.below(body.length - at);
    const said =
      random.below(30) === 0 ? random.pick(['ffffffffffffffff', '-1', 'x', '']) : size.toString(16);
    const extension = random.below(10) === 0 ? ';a="b"' : '';
    text += `${said}${extension}\r\n${body.slice(at, at + size)}\r\n`;
    at += size;
  }
  return `${text}0\r\n${random.below(10) === 0 ? 'X-Trailer: y\r\n' : ''}\r\n`;
}
