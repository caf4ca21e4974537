import { beforeAll, describe, expect, it } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import { KEEP_RULES } from '../support/rules-fixture.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { startSharedBackend } from '../support/servers/start-backend.ts';
import { NAMES } from '../support/test-database.ts';

const shared = startSharedBackend({ firestoreRules: KEEP_RULES });
let token = '';
beforeAll(async () => {
  token = (await rawClient(await shared).signUp()).idToken;
});

async function ask(method: string, path: string, fields?: Record<string, unknown>) {
  const { port } = await shared;
  const response = await fetch(`http://127.0.0.1:${port}/v1/${NAMES.documents}/${path}`, {
    method,
    headers: bearer(token),
    ...(fields === undefined ? {} : { body: JSON.stringify({ fields }) }),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

const n = (value: number) => ({ n: { integerValue: String(value) } });
const named = (path: string, fields: object) => ({ name: NAMES.toName(path), fields });
const refused = (status: number, name: string) => ({ status, body: { error: { status: name } } });

describe('a plain document', () => {
  it('is created under the id that is asked for, once, or under a new one', async () => {
    expect(await ask('POST', 'plain?documentId=a', n(1))).toMatchObject({
      status: 200,
      body: named('plain/a', n(1)),
    });
    expect(await ask('POST', 'plain?documentId=a', n(2))).toMatchObject(
      refused(409, 'ALREADY_EXISTS'),
    );
    const { body } = await ask('POST', 'plain', n(3));
    expect(isJsonObject(body) && body['name']).toMatch(/\/plain\/[A-Za-z0-9]{20}$/);
  });

  it('is read whole or in part, or is not found', async () => {
    await ask('PATCH', 'read/a', { ...n(1), m: { stringValue: 'x' } });
    const whole = await ask('GET', 'read/a');
    expect(whole).toMatchObject({ status: 200, body: { fields: { m: { stringValue: 'x' } } } });
    expect(whole.body).toMatchObject({ createTime: expect.any(String) });
    const part = await ask('GET', 'read/a?mask.fieldPaths=n');
    expect(isJsonObject(part.body) && part.body['fields']).toEqual(n(1));
    expect(await ask('GET', 'read/none')).toMatchObject(refused(404, 'NOT_FOUND'));
  });

  it('is replaced, or changed where the mask says, under a precondition', async () => {
    await ask('PATCH', 'patch/a', { ...n(1), m: n(1).n });
    await ask('PATCH', 'patch/a?updateMask.fieldPaths=n', n(2));
    expect(await ask('GET', 'patch/a')).toMatchObject({ body: { fields: { ...n(2), m: n(1).n } } });
    const { body } = await ask('PATCH', 'patch/a?currentDocument.exists=true', n(3));
    expect(isJsonObject(body) && body['fields']).toEqual(n(3));
    expect(await ask('PATCH', 'patch/b?currentDocument.exists=true', n(1))).toMatchObject(
      refused(404, 'NOT_FOUND'),
    );
  });

  it('is judged by the policy and by its path like any other', async () => {
    await ask('PATCH', 'kept/a', n(1));
    expect(await ask('DELETE', 'kept/a')).toMatchObject(refused(403, 'PERMISSION_DENIED'));
    expect(await ask('GET', '__kept__/a')).toMatchObject(refused(400, 'INVALID_ARGUMENT'));
    expect(await ask('PUT', 'kept/a', n(2))).toMatchObject(refused(501, 'UNIMPLEMENTED'));
    const { port } = await shared;
    const response = await fetch(`http://127.0.0.1:${port}/v1/${NAMES.documents}/kept/a`);
    expect(response.status).toBe(403);
  });
});

describe('a plain collection', () => {
  it('is listed page by page, in order', async () => {
    for (const at of [3, 1, 2, 5, 4]) await ask('PATCH', `list/d${at}`, n(at));
    const ids: unknown[] = [];
    let pages = 0;
    let pageToken: unknown = '';
    while (typeof pageToken === 'string') {
      const { body } = await ask('GET', `list?pageSize=2&orderBy=n%20desc&pageToken=${pageToken}`);
      const { documents, nextPageToken } = isJsonObject(body) ? body : {};
      for (const each of Array.isArray(documents) ? documents : []) {
        ids.push(isJsonObject(each) && String(each['name']).split('/').at(-1));
      }
      pageToken = nextPageToken;
      pages++;
    }
    expect(pages).toBe(3);
    expect(ids).toEqual(['d5', 'd4', 'd3', 'd2', 'd1']);
    expect(await ask('GET', 'list?pageToken=nonsense')).toMatchObject(
      refused(400, 'INVALID_ARGUMENT'),
    );
  });
});
