import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import {
  ben,
  credentialsOf,
  device,
  resetDevice,
  robin,
  setUp,
  startAndErase,
} from '../../../tests/support/setups/session-setup.ts';
import { readDrafts, writeDraft } from '../../lib/draft.ts';
import { readAccountPointer, writeAccountPointer } from '../../platform/auth/account-pointer.ts';
import { AuthError } from '../../platform/auth/auth.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import {
  forgetSessionOnlyOwner,
  noteSessionOnlyOwner,
  sessionOnlyOwners,
} from '../../platform/auth/session-only-owners.ts';
import {
  forgetErasure,
  noteErasure,
  pendingErasures,
} from '../../platform/storage/pending-erasure.ts';

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
    device.shares.add('robin');
    await setUp().controller.tidy();
    expect([...device.databases, ...device.shares]).toEqual(['robin', 'robin']);

    endSession();
    const next = setUp();
    await next.controller.start();
    await next.controller.tidy();
    expect([device.databases.size, device.shares.size, localStorage.length]).toEqual([0, 0, 0]);
  });

  it('ends without the sign-in of another owner, which other tabs keep', async () => {
    const { controller, session, shown } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin, false));
    writeAccountPointer(ben, true);
    await session.signOut();
    expect(shown()).toEqual({ user: null, data: null });
    expect(readAccountPointer()).toMatchObject({ uid: 'ben' });
    await session.auth.signIn(credentialsOf(robin, false));
    expect(localStorage.getItem('pawpals:account')).toContain('"ben"');
  });

  it('is noted, also if it waited for the erasure of the session before', async () => {
    vi.spyOn(device.held, 'add').mockImplementationOnce(() => {
      forgetSessionOnlyOwner('robin');
      return device.held;
    });
    await enterBriefly();
    expect(sessionOnlyOwners()).toEqual(['robin']);
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

  it('leaves everything of an owner who comes back to stay during the erasure of others', async () => {
    await enterBriefly(robin);
    endSession();
    await enterBriefly(ben);
    endSession();
    writeDraft({ owner: 'ben', name: 'note' }, 'kept');
    device.unreadable.add('robin');
    const next = setUp();
    await next.controller.start();
    next.log.mockImplementationOnce(() => forgetSessionOnlyOwner('ben'));
    await next.controller.tidy();
    expect([...device.databases]).toEqual(['robin', 'ben']);
    expect(readDrafts('ben')).toEqual(['kept']);
  });

  it('leaves nothing after a sign-out', async () => {
    const { session } = await enterBriefly();
    await session.signOut();
    expect([device.databases.size, localStorage.length, sessionStorage.length]).toEqual([0, 0, 0]);
  });
});

describe('a duplicate of a tab, which the browser restores after a sign-out in the first', () => {
  type App = ReturnType<typeof setUp>;

  /** Signs out with `leave`, and starts the app in a tab with the session storage from before. */
  async function restoreAfter(leave: (first: App) => void | Promise<void>): Promise<App> {
    const first = setUp();
    await first.controller.start();
    await first.session.auth.signIn(credentialsOf(robin, false));
    const stored = Object.entries(sessionStorage);
    await leave(first);
    for (const [key, value] of stored) sessionStorage.setItem(key, value);
    // The duplicate has a copy of the sign-in at the provider as well.
    device.provider = 'robin';
    const duplicate = setUp();
    await duplicate.controller.start();
    return duplicate;
  }

  it.each([
    ['that is complete', ({ session }: App) => session.signOut()],
    ['that was cut short', () => noteErasure('robin', 1)],
  ])('signs nobody in after one %s', async (_, leave) => {
    const { shown } = await restoreAfter(leave);
    expect(shown()).toEqual({ user: null, data: null });
    await vi.waitFor(() => expect(device.provider).toBeNull());
    await vi.waitFor(() => expect([device.databases.size, pendingErasures()]).toEqual([0, []]));
    expect(readAccountPointer()).toBeNull();
  });

  it('follows the owner who is signed in on the device', async () => {
    const { shown } = await restoreAfter(async ({ session }) => {
      await session.signOut();
      await session.auth.signIn(credentialsOf(ben));
    });
    expect(shown()).toEqual({ user: 'ben', data: 'ben' });
  });
});

describe('a sign-out that two tabs finish', () => {
  /** Another tab finishes what is noted, and Ben signs in there. */
  async function returnInOtherTab() {
    const other = await startAndErase();
    expect(pendingErasures()).toEqual([]);
    await other.session.auth.signIn(credentialsOf(ben));
    writeDraft({ owner: 'ben', name: 'note' }, 'written afterwards');
  }

  const ofBen = () => [...device.databases, device.provider, ...readDrafts('ben')];

  it('erases no owner who came back while this tab was busy with another one', async () => {
    noteErasure('robin', 1);
    noteErasure('ben', 1);
    const provider = deferred<undefined>();
    const signOutOf = vi.fn<FirebaseAuthService['signOutOf']>(() => provider.promise);
    const starting = startAndErase({ signOutOf });
    await vi.waitFor(() => expect(signOutOf).toHaveBeenCalledWith('robin'));
    await returnInOtherTab();
    provider.resolve(undefined);
    await starting;
    expect(ofBen()).toEqual(['ben', 'ben', 'written afterwards']);
    expect(signOutOf).toHaveBeenCalledOnce();
  });

  it('signs out no owner who came back while this tab waited for the provider', async () => {
    noteErasure('ben', 1);
    const provider = deferred<undefined>();
    const ready = vi.fn<FirebaseAuthService['ready']>(() => provider.promise);
    const starting = startAndErase({ ready });
    await vi.waitFor(() => expect(ready).toHaveBeenCalled());
    await returnInOtherTab();
    provider.resolve(undefined);
    await starting;
    expect(ofBen()).toEqual(['ben', 'ben', 'written afterwards']);
  });

  it('releases the lock, and ends the sign-in, if it was finished while this tab closed', async () => {
    const { controller, session, store, steps } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    // Robin comes back there, for the browser session.
    store.sub(authStateAtom, () => {
      forgetErasure('robin');
      noteSessionOnlyOwner('robin');
    });
    await session.signOut();
    expect(sessionOnlyOwners()).toEqual(['robin']);
    expect(steps).toEqual(['closed robin', 'provider forgets robin']);
    expect([...device.held]).toEqual([]);
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
    expect(localStorage.length).toBe(1);
    expect(steps).toEqual(['paused robin', 'resumed robin']);
  });

  describe('without an answer', () => {
    /** The provider deletes the account, and the answer is lost. */
    async function loseAnswer() {
      const deleteAccountOf = vi
        .fn<FirebaseAuthService['deleteAccountOf']>(async () => {
          throw new AuthError('auth/user-token-expired');
        })
        .mockImplementationOnce(async () => {
          device.provider = null;
          throw new AuthError('auth/network-request-failed');
        });
      const first = setUp({ deleteAccountOf });
      await first.controller.start();
      await first.session.auth.signIn(credentialsOf(robin));
      await expect(first.session.deleteAccount()).rejects.toThrow('auth/network-request-failed');
      expect(first.shown().data).toBe('robin');
      return first;
    }

    const kept = () => [...device.databases, ...Object.keys(localStorage)];

    it('wipes the device at the next start, if the account is gone', async () => {
      await loseAnswer();
      await setUp().controller.start();
      await vi.waitFor(() => expect(kept()).toEqual([]));
    });

    it('keeps what was not sent, since the sign-in may have ended for another reason', async () => {
      await loseAnswer();
      device.unsent.add('robin');
      const hasAsked = vi.fn<FirebaseAuthService['idTokenOf']>(async () => null);
      const { controller, shown } = setUp({ idTokenOf: hasAsked });
      await controller.start();
      await vi.waitFor(() => expect(hasAsked).toHaveBeenCalled());
      await controller.tidy();
      expect(kept()).toContain('robin');
      expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    });

    it('wipes the device at the next attempt, if the account is gone', async () => {
      const { session, shown } = await loseAnswer();
      await session.deleteAccount();
      expect(kept()).toEqual([]);
      expect(shown()).toEqual({ user: null, data: null });
    });
  });

  it('keeps the data if the sign-in has ended before the first attempt', async () => {
    const { controller, session, shown } = setUp({
      deleteAccountOf: () => Promise.reject(new AuthError('auth/user-token-expired')),
    });
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    await expect(session.deleteAccount()).rejects.toThrow('auth/user-token-expired');
    expect(shown().data).toBe('robin');
    expect(Object.keys(localStorage)).toEqual(['pawpals:account']);
  });

  /** Kills the tab during the request, after the provider has dealt with it. @returns the next start. */
  async function killDuring(
    deal: () => void,
    overrides: Partial<FirebaseAuthService> = {},
    prepare: (next: ReturnType<typeof setUp>) => void = () => undefined,
  ) {
    const never = new Promise<void>(() => undefined);
    const deleteAccountOf = vi.fn<FirebaseAuthService['deleteAccountOf']>(() => {
      deal();
      return never;
    });
    const first = setUp({ deleteAccountOf });
    await first.controller.start();
    await first.session.auth.signIn(credentialsOf(robin));
    void first.session.deleteAccount();
    await vi.waitFor(() => expect(deleteAccountOf).toHaveBeenCalled());
    const next = setUp(overrides);
    prepare(next);
    await next.controller.start();
    return next;
  }

  const deleted = (): void => {
    device.provider = null;
  };

  it('wipes the device at the next start if the tab was killed before it got the answer', async () => {
    const { shown, steps } = await killDuring(deleted);
    await vi.waitFor(() => expect(device.databases.size).toBe(0));
    await vi.waitFor(() => expect(localStorage.length).toBe(0));
    expect(shown()).toEqual({ user: null, data: null });
    expect(steps).toEqual(['closed robin', 'erase robin', 'provider forgets robin']);
  });

  it('touches nothing at the next start if the provider was not reached', async () => {
    const { shown, steps } = await killDuring(() => undefined);
    await vi.waitFor(() => expect(Object.keys(localStorage)).toEqual(['pawpals:account']));
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    expect(steps).toEqual([]);
  });

  it('is found out at a later start if the next one has no connection', async () => {
    const unreachable = new AuthError('auth/network-request-failed');
    const idTokenOf = () => Promise.reject(unreachable);
    const { shown, log } = await killDuring(deleted, { idTokenOf });
    await vi.waitFor(() => expect(log).toHaveBeenCalledWith('not-told', expect.anything()));
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    await setUp().controller.start();
    await vi.waitFor(() => expect([...device.databases, ...Object.keys(localStorage)]).toEqual([]));
  });

  it('wipes the device at a later start if the next one cannot open the data', async () => {
    const idTokenOf = vi.fn<FirebaseAuthService['idTokenOf']>(async () => null);
    await killDuring(deleted, { idTokenOf }, ({ openOwner }) => {
      openOwner.mockRejectedValueOnce(new Error('unreadable'));
    });
    await vi.waitFor(() => expect(idTokenOf).toHaveResolved());
    await setUp().controller.start();
    await vi.waitFor(() => expect([...device.databases, ...Object.keys(localStorage)]).toEqual([]));
  });

  it('is forgotten once its owner has signed in again', async () => {
    const { session } = await killDuring(() => undefined, {
      idTokenOf: () => new Promise(() => undefined),
    });
    await session.auth.signIn(credentialsOf(robin));
    expect(Object.keys(localStorage)).toEqual(['pawpals:account']);
  });

  it('needs an owner', async () => {
    const { controller, session } = setUp();
    await controller.start();
    await expect(session.deleteAccount()).rejects.toMatchObject({ code: 'auth/no-current-user' });
  });
});
