import { beforeEach, describe, expect, it } from 'vitest';
import {
  ben,
  credentialsOf,
  device,
  resetDevice,
  robin,
  setUp,
} from '../../../tests/support/setups/session-setup.ts';
import { readAccountPointer } from '../../platform/auth/account-pointer.ts';
import { AuthError } from '../../platform/auth/auth.ts';
import { sessionOnlyOwners } from '../../platform/auth/session-only-owners.ts';

beforeEach(resetDevice);

describe('a sign-in for the browser session', () => {
  /** Simulates a closed browser: its tabs, their storage and their locks are gone. */
  const endSession = (): void => {
    sessionStorage.clear();
    device.held.clear();
    device.provider = null;
  };

  async function enterBriefly(user = robin) {
    const first = setUp();
    await first.controller.start();
    await first.session.auth.signIn(credentialsOf(user, false));
    return first;
  }

  it('leaves nothing after the session, except the locks of an open tab say it goes on', async () => {
    await enterBriefly();
    await setUp().controller.tidy();
    expect([...device.databases]).toEqual(['robin']);

    endSession();
    const next = setUp();
    await next.controller.start();
    await next.controller.tidy();
    expect([device.databases.size, localStorage.length]).toEqual([0, 0]);
  });

  it('keeps unsent data, and tells the owner who comes back', async () => {
    await enterBriefly();
    device.unsent.add('robin');
    endSession();
    const next = setUp();
    await next.controller.start();
    await next.controller.tidy();
    expect([...device.databases]).toEqual(['robin']);

    await next.session.auth.signIn(credentialsOf(robin));
    expect(next.steps).toEqual(['told robin what was not sent']);
    expect(sessionOnlyOwners()).toEqual([]);
  });

  it('leaves nothing of the others, although the data of one cannot be read', async () => {
    await enterBriefly(robin);
    endSession();
    await enterBriefly(ben);
    endSession();
    device.unreadable.add('robin');
    const next = setUp();
    await next.controller.start();
    await next.controller.tidy();
    expect([...device.databases]).toEqual(['robin']);
    expect(sessionOnlyOwners()).toEqual(['robin']);
    expect(next.log).toHaveBeenCalledWith('session-not-cleared', { reason: 'Error' });
  });

  it('leaves nothing after a sign-out', async () => {
    const { session } = await enterBriefly();
    await session.signOut();
    expect([device.databases.size, localStorage.length, sessionStorage.length]).toEqual([0, 0, 0]);
  });
});

describe('deleting the account', () => {
  it('deletes it at the provider first, and then wipes the device', async () => {
    const { controller, session, shown, steps } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    await session.deleteAccount();
    expect(steps).toEqual([
      'paused robin',
      'provider deletes robin',
      'closed robin',
      'erase robin',
      'provider forgets robin',
    ]);
    expect(shown()).toEqual({ user: null, data: null });
    expect([device.databases.size, localStorage.length]).toEqual([0, 0]);
  });

  it('touches nothing on the device if the provider refuses', async () => {
    const refusal = new AuthError('auth/requires-recent-login');
    const { controller, session, shown, steps } = setUp({
      deleteAccountOf: () => Promise.reject(refusal),
    });
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    await expect(session.deleteAccount()).rejects.toBe(refusal);
    expect(shown().data).toBe('robin');
    expect(readAccountPointer()).toEqual(robin);
    expect(steps).toEqual(['paused robin', 'resumed robin']);
  });

  it('needs an owner', async () => {
    const { controller, session } = setUp();
    await controller.start();
    await expect(session.deleteAccount()).rejects.toMatchObject({ code: 'auth/no-current-user' });
  });
});
