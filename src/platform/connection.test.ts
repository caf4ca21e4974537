import { expect, it } from 'vitest';
import { createConnection } from './connection.ts';

function setUp() {
  let isBrowserOnline = true;
  let report: (online: boolean) => void = () => undefined;
  const connection = createConnection({
    isOnline: () => isBrowserOnline,
    watch: (onChange) => {
      report = onChange;
      return () => undefined;
    },
  });
  const seen: boolean[] = [];
  const stop = connection.watch((isOnline) => seen.push(isOnline));
  const browserSays = (isOnline: boolean): void => {
    isBrowserOnline = isOnline;
    report(isOnline);
  };
  return { connection, seen, stop, browserSays };
}

it('believes a browser that is offline, and one that comes back until a request fails', () => {
  const { connection, seen, browserSays } = setUp();
  expect(connection.isOnline()).toBe(true);
  browserSays(false);
  browserSays(true);
  connection.note(false);
  expect(seen).toEqual([false, true, false]);
});

it('is offline after a request without an answer, whatever the browser says, until one is answered', () => {
  const { connection, seen } = setUp();
  connection.note(false);
  connection.note(false);
  expect(connection.isOnline()).toBe(false);
  connection.note(true);
  expect(connection.isOnline()).toBe(true);
  expect(seen).toEqual([false, true]);
});

it('forgets a request without an answer when the browser reports a connection', () => {
  const { connection, browserSays } = setUp();
  connection.note(false);
  browserSays(true);
  expect(connection.isOnline()).toBe(true);
});

it('an answer from before says nothing of a browser that has gone offline since', () => {
  const { connection, seen, stop, browserSays } = setUp();
  browserSays(false);
  connection.note(true);
  expect(connection.isOnline()).toBe(false);
  stop();
  browserSays(true);
  expect(seen).toEqual([false]);
});
