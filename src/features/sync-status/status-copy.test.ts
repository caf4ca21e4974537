import { describe, expect, it } from 'vitest';
import { nothingUnsent } from '../../../tests/support/fakes/fake-data.ts';
import type { SyncOverview } from '../../data/queries/queries.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';
import { parkedReason } from './item-copy.ts';
import { statusCopy } from './status-copy.ts';

function activity(phase: SyncActivity['phase'], problem: string | null = null): SyncActivity {
  return { phase, problem };
}

const threeWaiting = { ...nothingUnsent, waitingCount: 3 };
const twoParked = { ...nothingUnsent, parkedCount: 2 };

function copyOf(state: SyncActivity, overview: SyncOverview | undefined) {
  const { parkedCount = 0 } = overview ?? {};
  return statusCopy({ activity: state, overview, parkedCount });
}

describe('the sync status', () => {
  it.each([
    [activity('idle'), nothingUnsent, 'Synced'],
    [activity('idle'), { ...nothingUnsent, files: null }, 'Syncing'],
    [activity('idle'), threeWaiting, '3 waiting'],
    [activity('idle'), twoParked, '2 could not be sent'],
    [activity('syncing'), twoParked, '2 could not be sent'],
    [activity('syncing'), { ...twoParked, fetchedPart: 0.4 }, '2 could not be sent'],
    [activity('starting'), twoParked, '2 could not be sent'],
    [activity('syncing'), threeWaiting, 'Syncing'],
    [activity('syncing'), nothingUnsent, 'Syncing'],
    [activity('syncing'), { ...nothingUnsent, fetchedPart: 0.407 }, 'Fetching 40 %'],
    [activity('syncing'), { ...nothingUnsent, fetchedPart: 0 }, 'Syncing'],
    [activity('offline'), nothingUnsent, 'Offline'],
    [activity('offline'), threeWaiting, 'Offline, 3 waiting'],
    [activity('offline'), twoParked, 'Offline'],
    [
      activity('problem', 'not-firestore'),
      threeWaiting,
      'The connection answers with something else, perhaps a Wi-Fi sign-in page.',
    ],
    [
      activity('problem', 'account-refused'),
      threeWaiting,
      'The server refuses this account. Nothing is lost on this device.',
    ],
    [activity('problem', 'unauthenticated'), nothingUnsent, 'Sign in again to sync'],
    [activity('syncing', 'unauthenticated'), threeWaiting, 'Sign in again to sync'],
    [
      activity('problem', 'unavailable'),
      nothingUnsent,
      'The server cannot be reached. This is tried again by itself.',
    ],
    [
      activity('problem', 'resource-exhausted'),
      threeWaiting,
      'The server takes no more from you for now. Nothing is lost on this device. This is tried again by itself.',
    ],
    [
      activity('problem', 'never-heard-of'),
      nothingUnsent,
      'Sync did not work. This is tried again by itself.',
    ],
    [
      activity('problem', 'permission-denied'),
      nothingUnsent,
      'The server refuses to sync (permission-denied). Nothing is lost on this device.',
    ],
    [
      activity('problem', 'defect'),
      nothingUnsent,
      'This device could not read or store something. Free some space and reload the page.',
    ],
    [
      activity('problem', 'no-lock'),
      nothingUnsent,
      'This tab cannot sync. Close other PawPals tabs and reload.',
    ],
    [activity('starting'), threeWaiting, 'Syncing'],
  ])('of %o is %#', (state, overview, text) => {
    expect(copyOf(state, overview).text).toBe(text);
  });

  it('is only an icon while all is well, and the unsent number while offline', () => {
    const seen = (phase: SyncActivity['phase'], overview = nothingUnsent) =>
      copyOf(activity(phase), overview).seen;
    expect(seen('idle')).toBe('nothing');
    expect(seen('idle', threeWaiting)).toBe('nothing');
    expect(seen('syncing')).toBe('nothing');
    expect(seen('syncing', { ...nothingUnsent, fetchedPart: 0.4 })).toBe('all');
    expect(seen('offline')).toBe('all');
    expect(seen('offline', threeWaiting)).toBe(3);
    expect(seen('idle', twoParked)).toBe('all');
    expect(seen('problem')).toBe('all');
  });

  it('does not say "Synced" before anything was compared with the server', () => {
    const never = { ...nothingUnsent, fetchedOnce: false };
    for (const overview of [never, undefined]) {
      expect(copyOf(activity('idle'), overview).text).toBe('Syncing');
    }
  });
});

describe('why something is parked', () => {
  it.each([
    ['pet-deleted', 'Its dog was deleted on another device.'],
    ['newer-schema', 'It was written by a newer version of PawPals.'],
    ['too-large', 'It is too large for the server.'],
    ['refused:permission-denied', 'The server refused it (permission-denied). It is kept here.'],
    [null, 'The server refused it. It is kept here.'],
  ])('with code %s: %s', (code, reason) => {
    expect(parkedReason(code)).toBe(reason);
  });
});
