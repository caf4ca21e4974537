import { describe, expect, it } from 'vitest';
import { firebaseConfigOf } from './firebase-config.ts';

const own = 'http://localhost:4173';

describe('the configuration', () => {
  it('without variables is that of the server that the page came from', () => {
    expect(firebaseConfigOf({}, own)).toEqual({
      apiKey: 'embedded',
      authDomain: 'demo-pawpals.firebaseapp.com',
      projectId: 'demo-pawpals',
      storageBucket: 'demo-pawpals.appspot.com',
      appId: 'pawpals',
      serverOrigin: own,
    });
  });

  it('with a key is that of hosted Firebase', () => {
    const environment = {
      VITE_FIREBASE_API_KEY: 'key',
      VITE_FIREBASE_AUTH_DOMAIN: 'auth.test',
      VITE_FIREBASE_PROJECT_ID: 'dogs',
      VITE_FIREBASE_STORAGE_BUCKET: 'bucket',
      VITE_FIREBASE_APP_ID: 'app',
    };
    expect(firebaseConfigOf(environment, own)).toEqual({
      apiKey: 'key',
      authDomain: 'auth.test',
      projectId: 'dogs',
      storageBucket: 'bucket',
      appId: 'app',
      serverOrigin: null,
    });
  });

  it('derives the domain and the bucket from the project', () => {
    expect(firebaseConfigOf({ VITE_FIREBASE_PROJECT_ID: 'dogs' }, own)).toMatchObject({
      authDomain: 'dogs.firebaseapp.com',
      storageBucket: 'dogs.appspot.com',
    });
  });

  it('can name another server, but only together with a key', () => {
    const server = { VITE_FIREBASE_SERVER_ORIGIN: 'https://emulator.test' };
    expect(firebaseConfigOf({ ...server, VITE_FIREBASE_API_KEY: 'key' }, own).serverOrigin).toBe(
      'https://emulator.test',
    );
    expect(firebaseConfigOf(server, own).serverOrigin).toBe(own);
  });
});
