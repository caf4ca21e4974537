import { expect, it } from 'vitest';
import { serverUrl } from './server-url.ts';

it.each([
  [undefined, false, 'http://localhost:4173'],
  ['127.0.0.1', false, 'http://localhost:4173'],
  ['0.0.0.0', true, 'https://localhost:4173'],
  ['::', true, 'https://localhost:4173'],
  ['127.0.0.2', false, 'http://127.0.0.2:4173'],
  ['192.168.1.5', true, 'https://192.168.1.5:4173'],
  ['fd00::5', true, 'https://[fd00::5]:4173'],
])('a server that listens on %s is reached at its own address', (host, isSecure, url) => {
  expect(serverUrl({ isSecure, host, port: 4173 })).toBe(url);
});
