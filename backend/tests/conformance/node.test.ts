import { beforeAll, describe, expect, it } from 'vitest';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { startSharedBackend } from '../support/servers/start-backend.ts';
import { documentCases } from './document-cases.ts';
import { createHost, type Host } from './host.ts';
import { listenCases } from './listen-cases.ts';
import { openRules } from '../support/rules-fixture.ts';
import { queryCases } from './query-cases.ts';

const shared = startSharedBackend({ firestoreRules: openRules });
let sdk: BrowserSdk;
let host: Host;
beforeAll(async () => {
  sdk = await importBrowserSdk();
  host = await createHost({ sdk, origin: `http://127.0.0.1:${(await shared).port}` });
  return () => host.close();
});

describe('the browser build of the SDK in Node', () => {
  it.concurrent.each([...documentCases, ...queryCases, ...listenCases])('$name', async (each) => {
    await expect(host.run(each)).resolves.toBeUndefined();
  });
});

describe('firebase/firestore/lite in Node', () => {
  it.concurrent.each([...documentCases, ...queryCases])('$name', async (each) => {
    await expect(host.runLite(each)).resolves.toBeUndefined();
  });
});
