import { describe, expect, it } from 'vitest';
import { startBackend } from '../support/servers/start-backend.ts';
import { storageClient, storageClientFor } from '../support/clients/storage-client.ts';
import { headersOf, setUpStorage } from '../support/storage-setup.ts';

describe('who asks and for what', () => {
  it('a bad token is 401, nobody is 403', async () => {
    const { client } = await setUpStorage();
    const ask = async (authorization: Record<string, string>) =>
      (await fetch(client.objectUrl('a'), { headers: authorization })).status;
    expect(await ask({ Authorization: 'Firebase nonsense' })).toBe(401);
    expect(await ask({ Authorization: 'owner' })).toBe(401);
    expect(await ask({})).toBe(403);
    expect(await ask({ Authorization: `Bearer ${client.idToken}` })).toBe(404);
  });

  it('nobody writes to the disk unasked, also without saying how much', async () => {
    const { backend, client } = await setUpStorage();
    const other = await storageClient(backend);
    const foreign = `${client.base}?name=${encodeURIComponent(client.nameOf('a'))}`;
    const start = { 'X-Goog-Upload-Protocol': 'resumable', 'X-Goog-Upload-Command': 'start' };
    expect((await other.send(foreign, { method: 'POST', headers: start })).status).toBe(403);
    expect((await fetch(foreign, { method: 'POST', headers: start })).status).toBe(403);
    expect((await client.start('a')).response.status).toBe(200);
  });

  it('an upload is continued by who started it only', async () => {
    const { backend, client } = await setUpStorage();
    const { url } = await client.start('a', 5);
    const other = await storageClient(backend);
    const piece = { offset: 0, body: 'hello' };
    expect((await other.command(url, 'upload, finalize', piece)).status).toBe(403);
    const nobody = { method: 'POST', headers: { 'X-Goog-Upload-Command': 'query' } };
    expect((await fetch(url, nobody)).status).toBe(403);
    expect((await client.command(url, 'upload, finalize', piece)).status).toBe(200);
  });

  it.each([
    ['a proxy', { 'X-Forwarded-Proto': 'https' }],
    ['a page', { Origin: 'https://pawpals.example' }],
  ])('an upload goes on over https where %s says so', async (_name, said) => {
    const { client } = await setUpStorage({ publicOrigin: 'https://pawpals.example' });
    const start = { 'X-Goog-Upload-Protocol': 'resumable', 'X-Goog-Upload-Command': 'start' };
    const at = `${client.base}?name=${encodeURIComponent(client.nameOf('a'))}`;
    const { headers } = await client.send(at, { method: 'POST', headers: { ...start, ...said } });
    expect(headers.get('x-goog-upload-url')).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/v0\/b\//);
  });

  it.each([
    ['/v0/b/other/o/a', 404],
    ['/v0/b/demo-pawpals.appspot.com', 404],
    ['/v0/b/demo-pawpals.appspot.com/o/%E0%A4%A', 400],
    ['/v0/b/demo-pawpals.appspot.com/o/a%00b', 400],
    ['/v0/b/demo-pawpals.appspot.com/o/..%2F..%2Fsigning-key.pem?alt=media', 403],
    ['/v0/b/demo-pawpals.appspot.com/o/../../../signing-key.pem', 404],
    ['/v0/', 404],
  ])('%s is %i', async (path, status) => {
    const { client } = await setUpStorage();
    expect((await client.send(client.origin + path)).status).toBe(status);
  });

  it.each([
    ['the middle of a name', 'prefix=pets'],
    ['what lies deeper', 'prefix=PREFIX&delimiter='],
    ['another delimiter', 'prefix=PREFIX&delimiter=-'],
    ['no results', 'prefix=PREFIX&maxResults=0'],
    ['too many results', 'prefix=PREFIX&maxResults=1001'],
    ['a folder with a longer name than a file has', `prefix=PREFIX${'a'.repeat(5000)}/`],
    ['what comes after such a name', `prefix=PREFIX&pageToken=${'YWFh'.repeat(2250)}`],
  ])('a list of %s is refused', async (_name, query) => {
    const { client } = await setUpStorage();
    const prefix = encodeURIComponent(client.nameOf(''));
    const response = await client.send(`${client.base}?${query.replace('PREFIX', prefix)}`);
    expect(response.status).toBe(400);
  });

  it('pages of other origins are told what they may send and read', async () => {
    const { client } = await setUpStorage();
    const Origin = 'http://localhost:5173';
    const preflight = await fetch(client.base, {
      method: 'OPTIONS',
      headers: {
        Origin,
        'Access-Control-Request-Method': 'DELETE',
        'Access-Control-Request-Headers': 'authorization,x-goog-upload-command',
      },
    });
    expect(headersOf(preflight)).toMatchObject({
      'access-control-allow-origin': Origin,
      'access-control-allow-methods': expect.stringMatching(/PATCH, DELETE/),
      'access-control-allow-headers': 'authorization,x-goog-upload-command',
    });
    const answer = await client.send(client.objectUrl('none'), { headers: { Origin } });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(
      /X-Goog-Upload-Status, X-Goog-Upload-URL, X-Goog-Upload-Size-Received/,
    );
    const evil = { Origin: 'https://evil.example' };
    expect((await client.send(client.base, { headers: evil })).status).toBe(403);
  });

  it('there is one bucket, that of the project', async () => {
    const { backend, client } = await setUpStorage();
    const { petId } = client;
    await backend.storage.put(`pets/${petId}/a`, Buffer.from('x'), { contentType: 'text/plain' });
    const list = (bucket: string) =>
      client.send(`${client.origin}/v0/b/${bucket}/o?prefix=pets%2F${petId}%2F`);
    expect(await (await list('demo-pawpals.appspot.com')).json()).toEqual({
      prefixes: [],
      items: [{ name: `pets/${petId}/a`, bucket: 'demo-pawpals.appspot.com' }],
    });
    expect((await list('files.example')).status).toBe(404);
  });
});

describe('from code', () => {
  it('files are put, read, listed and deleted; all of it lasts', async () => {
    const { backend, dataDir, client } = await setUpStorage();
    const { storage } = backend;
    async function* stream() {
      yield Buffer.from('he');
      yield Buffer.from('llo');
    }
    await storage.put('pets/a/1', stream(), { contentType: 'text/plain', metadata: { k: 'v' } });
    await storage.put('pets/a/2', Buffer.from('two'));
    await storage.put('pets/ab/1', Buffer.from('other'));
    expect(Buffer.from((await storage.read('pets/a/1')) ?? []).toString()).toBe('hello');
    expect(await storage.read('none')).toBeNull();
    expect(storage.get('pets/a/1')).toMatchObject({
      size: 5,
      settings: { contentType: 'text/plain' },
    });
    expect(await storage.delete('pets/a/1')).toBe(true);
    expect(await storage.delete('pets/a/2')).toBe(true);
    expect(await storage.delete('pets/a/1')).toBe(false);
    await backend.stop();
    const again = await startBackend({ dataDir });
    expect(again.storage.list({ prefix: '' }).objects.map(({ name }) => name)).toEqual([
      'pets/ab/1',
    ]);
    const { idToken, uid } = client;
    const renewed = storageClientFor(again, { idToken, uid, petId: 'ab' });
    expect((await renewed.send(renewed.objectUrl('1'))).status).toBe(403);
    expect(await again.storage.delete('pets/ab/1')).toBe(true);
  });
});
