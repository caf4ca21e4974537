import { deleteApp } from 'firebase/app';
import { expect, it, onTestFinished } from 'vitest';
import { firebaseApp, firestoreSettings } from './config.ts';
import { firebaseConfigOf } from './firebase-config.ts';

const hosted = firebaseConfigOf({ VITE_FIREBASE_API_KEY: 'key' }, 'http://localhost:4173');

it('there is one app, with the options that the SDK knows', () => {
  const app = firebaseApp(hosted);
  onTestFinished(() => deleteApp(app));
  const { serverOrigin: _, ...options } = hosted;
  expect(app.options).toEqual(options);
  expect(firebaseApp({ ...hosted, apiKey: 'other' })).toBe(app);
});

it.each([
  [null, {}],
  ['http://localhost:4173', { host: 'localhost:4173', ssl: false }],
  ['https://emulator.test', { host: 'emulator.test', ssl: true }],
])('the Firestore at %s has the settings %o', (serverOrigin, settings) => {
  expect(firestoreSettings({ ...hosted, serverOrigin })).toEqual(settings);
});
