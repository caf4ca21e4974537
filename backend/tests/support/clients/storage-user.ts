import { createHash } from 'node:crypto';
import type { Backend } from '../../../src/server.ts';
import type { BrowserSdk } from './sdk-bundle.ts';
import { sdkUser } from './sdk-user.ts';

/** A signed-in owner with a pet, and Storage as a page has it. */
export async function storageUser(sdk: BrowserSdk, backend: Pick<Backend, 'port' | 'firestore'>) {
  const user = await sdkUser(sdk, backend.port);
  const petId = `pet-${user.uid}`;
  await backend.firestore.commit([{ set: `pets/${petId}`, data: { ownerId: user.uid } }]);
  const storage = sdk.getStorage(user.app, 'gs://demo-pawpals.appspot.com');
  sdk.connectStorageEmulator(storage, '127.0.0.1', backend.port);
  const file = (name: string) => sdk.ref(storage, `pets/${petId}/${name}`);
  return { ...user, storage, petId, file };
}

export const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('base64');

/** Bytes that differ everywhere, so that a piece in the wrong place shows; the same for the same seed. */
export function noise(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let state = seed >>> 0 || 1;
  for (let at = 0; at < size; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 0xff;
  }
  return bytes;
}
