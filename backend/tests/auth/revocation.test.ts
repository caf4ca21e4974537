import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import {
  confirmPasswordReset,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  updatePassword,
} from 'firebase/auth';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { liteApp } from '../support/clients/lite-user.ts';
import { mailFolder } from '../support/mail-folder.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import {
  storageClient,
  multipartEnd,
  multipartHeaders,
  multipartStart,
} from '../support/clients/storage-client.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { testPassword, sdkUser } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { watch } from '../support/watch.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
});

async function setUp() {
  const clock = createManualClock(Date.now());
  const dataDir = await tempFolder();
  const backend = await startBackend({ clock, dataDir });
  const client = rawClient(backend);
  const owner = await sdkUser(sdk, backend.port);
  const listener = watch(sdk, owner, `sync/${owner.uid}`);
  await listener.shows(null);
  const idToken = await owner.user.getIdToken();
  const { refreshToken } = owner.user;
  const read = async () => {
    const path = `${client.documents}:batchGet`;
    const documents = [`${client.documents.slice('/v1/'.length)}/sync/${owner.uid}`];
    return (await client.json(path, { documents }, bearer(idToken))).status;
  };
  /** Expects that all earlier tokens are invalid. */
  const expectOut = async () => {
    await eventually(() => expect(listener.errors).toEqual(['permission-denied']));
    expect(await read()).toBe(401);
    expect((await client.refresh(refreshToken)).status).toBe(400);
    expect((await client.account('lookup', { idToken })).status).toBe(400);
    expect((await client.account('update', { idToken, displayName: 'x' })).status).toBe(400);
    await eventually(() => expect(owner.auth.currentUser).toBeNull());
  };
  return { backend, client, clock, dataDir, owner, listener, read, expectOut };
}

describe('a session ends, its live listener too,', () => {
  it('when the user is deleted', async () => {
    const { backend, owner, read, expectOut } = await setUp();
    expect(await read()).toBe(200);
    await backend.accounts.deleteUser(owner.uid);
    await expectOut();
  });

  it('when the user is disabled, until enabled and signed in again', async () => {
    const { backend, owner, expectOut } = await setUp();
    await backend.accounts.setDisabled(owner.uid, true);
    await expectOut();
    const signIn = () => sdk.signInWithEmailAndPassword(owner.auth, owner.email, testPassword);
    await expect(signIn()).rejects.toMatchObject({ code: 'auth/user-disabled' });
    await backend.accounts.setDisabled(owner.uid, false);
    await expectOut();
    await expect(signIn()).resolves.toMatchObject({ user: { uid: owner.uid } });
  });

  it('when the password is changed on another device', async () => {
    const { backend, clock, owner, expectOut } = await setUp();
    const { auth } = liteApp(backend.port);
    const elsewhere = await signInWithEmailAndPassword(auth, owner.email, testPassword);
    await updatePassword(elsewhere.user, 'An0ther-password');
    clock.advance(5000);
    await expectOut();
    expect(elsewhere.user.uid).toBe(owner.uid);
  });

  it('when the password is reset', async () => {
    const { backend, dataDir, owner, expectOut } = await setUp();
    const { auth } = liteApp(backend.port);
    await sendPasswordResetEmail(auth, owner.email);
    const link = await mailFolder(dataDir).lastLink(1);
    const oobCode = link.searchParams.get('oobCode') ?? '';
    await confirmPasswordReset(auth, oobCode, 'An0ther-password');
    await expectOut();
    expect(owner.auth.currentUser).toBeNull();
  });

  it('but not that of anybody else', async () => {
    const { backend, client, clock, owner, listener } = await setUp();
    const [other, another] = [await sdkUser(sdk, backend.port), await client.signUp()];
    await backend.accounts.deleteUser(other.uid);
    clock.advance(5000);
    // The answer with the new tokens of a session that changes its own password is still on its way.
    const idToken = await owner.user.getIdToken();
    await client.account('update', { idToken, password: 'An0ther-password' });
    await backend.accounts.deleteUser(another.uid);
    const path = `sync/${owner.uid}`;
    await backend.firestore.commit([{ set: path, data: { head: 1 } }]);
    await listener.shows({ head: 1 });
    expect(listener.errors).toEqual([]);
  });
});

describe('a request whose body comes after its user was deleted', () => {
  /** Sends the head of a request, and its body when `finish` is called, which resolves to the status of the answer. */
  const begin = async (url: string, headers: Readonly<Record<string, string>>) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, Expect: '100-continue' } });
    const answered = new Promise<IncomingMessage>((resolve) => void sent.once('response', resolve));
    sent.flushHeaders();
    await once(sent, 'continue');
    return async (body: string) => {
      sent.end(body);
      const answer = await answered;
      answer.resume();
      return answer.statusCode;
    };
  };

  it('commits nothing', async () => {
    const backend = await startBackend();
    const client = rawClient(backend);
    const { uid, idToken } = await client.signUp();
    const path = `pets/${uid}`;
    const finish = await begin(`${client.origin}${client.documents}:commit`, bearer(idToken));
    await backend.accounts.deleteUser(uid);
    const name = `${client.documents.slice('/v1/'.length)}/${path}`;
    const update = { name, fields: { ownerId: { stringValue: uid } } };
    expect(await finish(JSON.stringify({ writes: [{ update }] }))).toBe(401);
    expect(backend.firestore.get(path)).toBeNull();
  });

  it('uploads nothing', async () => {
    const backend = await startBackend();
    const { uid, idToken, nameOf, uploadUrl } = await storageClient(backend);
    const finish = await begin(uploadUrl('a.webm'), {
      ...bearer(idToken),
      ...multipartHeaders,
    });
    await backend.accounts.deleteUser(uid);
    expect(await finish(`${multipartStart({})}sound${multipartEnd}`)).toBe(401);
    expect(backend.storage.get(nameOf('a.webm'))).toBeNull();
  });
});

describe('the administrator', () => {
  it('cannot disable who does not exist, and may delete them twice', async () => {
    const backend = await startBackend();
    await expect(backend.accounts.setDisabled('nobody', true)).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
    await expect(backend.accounts.deleteUser('nobody')).resolves.toBeUndefined();
  });
});
