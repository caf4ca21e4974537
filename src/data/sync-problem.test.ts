import { describe, expect, it } from 'vitest';
import { syncNowAnswer, syncProblemText, whyNotFetched } from './sync-problem.ts';

const safe = 'Nothing is lost on this device.';
const again = 'This is tried again by itself.';

describe('the sentence about a problem', () => {
  it.each(['unavailable', 'timeout', 'network-error', 'deadline-exceeded'])(
    'says after %s that the server cannot be reached',
    (code) => {
      expect(syncProblemText(code)).toBe(`The server cannot be reached. ${again}`);
    },
  );

  it.each([
    'permission-denied',
    'invalid-argument',
    'failed-precondition',
    'not-found',
    'out-of-range',
    'unimplemented',
    'data-loss',
  ])('names the code %s, after which the same request would be refused again', (code) => {
    expect(syncProblemText(code)).toBe(`The server refuses to sync (${code}). ${safe}`);
  });

  it('looks only at the beginning of a code', () => {
    for (const code of ['is-unavailable', 'no-permission'])
      expect(syncProblemText(code)).toBe(`Sync did not work. ${again}`);
  });

  it('has sentences of its own for what the owner can do something about', () => {
    expect(syncProblemText('not-firestore')).toMatch(/Wi-Fi sign-in page\.$/);
    expect(syncProblemText('account-refused')).toBe(`The server refuses this account. ${safe}`);
    expect(syncProblemText('unauthenticated')).toBe('Sign in again to sync');
    expect(syncProblemText('resource-exhausted')).toMatch(/takes no more from you for now/);
    expect(syncProblemText('defect')).toMatch(/Free some space and reload/);
    expect(syncProblemText('no-lock')).toMatch(/Close other PawPals tabs/);
  });

  it('is general for any other code, and without one', () => {
    for (const code of ['', 'new-code', null])
      expect(syncProblemText(code)).toBe(`Sync did not work. ${again}`);
  });
});

describe('the reason why data was never fetched', () => {
  const needsConnection = 'Not fetched yet, needs a connection';

  it('is none while it is being fetched', () => {
    for (const phase of ['idle', 'syncing'])
      expect(whyNotFetched({ phase, problem: null })).toBeNull();
  });

  it('is the missing connection, also if the server does not answer', () => {
    expect(whyNotFetched({ phase: 'offline', problem: null })).toBe(needsConnection);
    expect(whyNotFetched({ phase: 'problem', problem: 'unavailable' })).toBe(needsConnection);
  });

  it('is any other problem, also during the retry', () => {
    for (const phase of ['problem', 'syncing'])
      expect(whyNotFetched({ phase, problem: 'defect' })).toBe(syncProblemText('defect'));
  });
});

describe('the answer to "Sync now"', () => {
  it('is nothing once the run over the documents has ended', () => {
    expect(syncNowAnswer({ phase: 'idle', problem: null })).toBeNull();
  });

  it('is the progress, the missing connection or the problem', () => {
    expect(syncNowAnswer({ phase: 'syncing', problem: null })).toBe('Syncing…');
    expect(syncNowAnswer({ phase: 'offline', problem: 'timeout' })).toMatch(
      /^There is no connection/,
    );
    expect(syncNowAnswer({ phase: 'problem', problem: 'defect' })).toBe(syncProblemText('defect'));
  });
});
