import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ben,
  credentialsOf,
  device,
  erasing,
  resetDevice,
  robin,
  setUp,
} from '../../../tests/support/setups/session-setup.ts';
import { readDrafts, writeDraft } from '../../lib/draft.ts';
import {
  clearAccountPointer,
  readAccountPointer,
  writeAccountPointer,
} from '../../platform/auth/account-pointer.ts';
import {
  noteSessionOnlyOwner,
  sessionOnlyOwners,
} from '../../platform/auth/session-only-owners.ts';
import type { FirebaseAuthService } from '../../platform/auth/firebase-auth.ts';
import { noteErasure } from '../../platform/storage/pending-erasure.ts';
import { authStateAtom, syncActivityAtom } from '../../platform/auth/session.ts';
import { dataAtom, readFailureAtom } from './session-controller.ts';

beforeEach(resetDevice);

describe('the start', () => {
  it('signs nobody in if no owner is stored', async () => {
    const { controller, store, shown } = setUp();
    await controller.start();
    expect(store.get(authStateAtom)).toMatchObject({ user: null, initialized: true });
    expect(shown().data).toBeNull();
  });

  it('opens the data of the remembered owner, without asking the provider', async () => {
    writeAccountPointer(robin, true);
    const { controller, shown, store } = setUp();
    await controller.start();
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    expect(store.get(syncActivityAtom).phase).toBe('starting');
  });

  it('does not wait until the provider has signed out another owner', async () => {
    writeAccountPointer(robin, true);
    device.databases.add('ben');
    noteErasure('ben', 1);
    const signOutOf = () => new Promise<void>(() => undefined);
    const { controller, shown } = setUp({ signOutOf });
    await controller.start();
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    await vi.waitFor(() => expect([...device.databases]).toEqual(['robin']));
    expect(erasing()).toEqual(['ben']);
  });

  it('shows the sign-in before the provider has signed out the owner of a sign-out that was cut short', async () => {
    noteErasure('ben', 1);
    const { controller, store } = setUp({ ready: () => new Promise(() => undefined) });
    await controller.start();
    expect(store.get(authStateAtom)).toMatchObject({ user: null, initialized: true });
  });

  it('says so when the database cannot be read, and does not take it for empty', async () => {
    writeAccountPointer(robin, true);
    const { controller, openOwner, store } = setUp();
    openOwner.mockRejectedValueOnce(new Error('UnknownError'));
    await controller.start();
    expect(store.get(readFailureAtom)).toBeInstanceOf(Error);
    expect(store.get(dataAtom)).toBeNull();
  });
});

describe('a read that fails', () => {
  it('is forgotten with the session, since another tab that signs out closes the database first', async () => {
    writeAccountPointer(robin, true);
    const { controller, session, openOwner, store } = setUp();
    await controller.start();
    const { onReadError } = openOwner.mock.lastCall?.[0] ?? {};
    onReadError?.(new Error('InvalidStateError'));
    expect(store.get(readFailureAtom)).toBeInstanceOf(Error);
    await session.signOut();
    expect(store.get(readFailureAtom)).toBeNull();
    onReadError?.(new Error('InvalidStateError'));
    expect(store.get(readFailureAtom)).toBeNull();
  });
});

describe('a page that was frozen', () => {
  it('closes its open data once, and opens it again', async () => {
    writeAccountPointer(robin, true);
    const { controller, openOwner, shown, steps, store } = setUp();
    await controller.start();
    const visit = store.get(dataAtom)?.visit;
    openOwner.mock.lastCall?.[0].onPageResumed();
    await vi.waitFor(() => expect(openOwner).toHaveBeenCalledTimes(2));
    await vi.waitFor(() => expect(shown()).toEqual({ user: 'robin', data: 'robin' }));
    expect(steps).toEqual(['closed robin']);
    // Pages find their forms and reading positions by this object.
    expect(store.get(dataAtom)?.visit).toBe(visit);
  });

  it('forgets what was typed once its owner leaves', async () => {
    writeAccountPointer(robin, true);
    const { controller, session, store } = setUp();
    await controller.start();
    const visit = store.get(dataAtom)?.visit;
    await session.signOut();
    await session.auth.signIn(credentialsOf(robin));
    expect(store.get(dataAtom)?.visit).toBeTypeOf('object');
    expect(store.get(dataAtom)?.visit).not.toBe(visit);
  });

  it('opens nothing if the owner has signed out in another tab meanwhile', async () => {
    writeAccountPointer(robin, true);
    const { controller, openOwner, shown } = setUp();
    await controller.start();
    clearAccountPointer('robin');
    openOwner.mock.lastCall?.[0].onPageResumed();
    await controller.tidy();
    expect(openOwner).toHaveBeenCalledOnce();
    expect(shown()).toEqual({ user: null, data: null });
  });

  it('signs nobody out if it was replaced by another page, and has no storage any more', async () => {
    writeAccountPointer(robin, true);
    device.provider = 'robin';
    const { controller, openOwner, shown, log } = setUp();
    await controller.start();
    const storage = vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
      throw new TypeError('null is not an object');
    });
    openOwner.mock.lastCall?.[0].onPageResumed();
    window.dispatchEvent(new StorageEvent('storage', { key: null }));
    await controller.tidy();
    storage.mockRestore();
    expect(log).toHaveBeenCalledTimes(2);
    expect(log).toHaveBeenCalledWith('not-followed', { reason: 'TypeError' });
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    expect(device.provider).toBe('robin');
  });

  it('stays signed out if that was done meanwhile', async () => {
    writeAccountPointer(robin, true);
    const { controller, session, openOwner, shown } = setUp();
    await controller.start();
    const left = session.signOut();
    openOwner.mock.lastCall?.[0].onPageResumed();
    await left;
    await session.auth.signIn(credentialsOf(ben));
    expect(openOwner).toHaveBeenCalledTimes(2);
    expect(shown().data).toBe('ben');
  });
});

describe('signing in and out', () => {
  it('opens the owner and remembers who it was', async () => {
    const { controller, session, shown } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    expect(shown().data).toBe('robin');
    expect(readAccountPointer()).toEqual(robin);
    expect(localStorage.length).toBe(1);
  });

  it('remembers for the browser session alone, if that is wanted', async () => {
    const { controller, session } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin, false));
    expect(readAccountPointer()).toEqual(robin);
    expect(localStorage.getItem('pawpals:account')).toBeNull();
    expect(sessionOnlyOwners()).toEqual(['robin']);
  });

  it('keeps the form waiting while the open owner signs in again', async () => {
    const { controller, session, store, shown } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    store.set(authStateAtom, (state) => ({ ...state, status: 'loading' }));
    const seen: string[] = [];
    store.sub(authStateAtom, () => seen.push(store.get(authStateAtom).status));
    await session.auth.signIn(credentialsOf(robin));
    expect(seen).toEqual(['loading']);
    expect(shown().data).toBe('robin');
  });

  it('leaves nothing behind', async () => {
    const { controller, session, shown, steps } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    await session.signOut();
    expect(shown()).toEqual({ user: null, data: null });
    expect(steps).toEqual(['closed robin', 'erase robin', 'provider forgets robin']);
    expect([device.databases.size, device.provider, localStorage.length]).toEqual([0, null, 0]);
  });

  it('leaves no draft that another tab stores until it has closed the database', async () => {
    const { controller, session } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    vi.spyOn(device.databases, 'delete').mockImplementationOnce(() => {
      writeDraft({ owner: 'robin', name: 'note' }, 'typed meanwhile');
      return true;
    });
    await session.signOut();
    expect(localStorage.length).toBe(0);
  });

  it('run one after another: an owner who signs in during a slow sign-out stays signed in', async () => {
    const { controller, session, shown } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    const leaving = session.signOut();
    const entering = session.auth.signIn(credentialsOf(ben));
    await Promise.all([leaving, entering]);
    expect(shown().data).toBe('ben');
    expect(device.provider).toBe('ben');
    expect([...device.databases]).toEqual(['ben']);
  });

  it('the same owner may come back during a slow sign-out', async () => {
    const { controller, session, shown } = setUp();
    await controller.start();
    await session.auth.signIn(credentialsOf(robin));
    const leaving = session.signOut();
    const entering = session.auth.signIn(credentialsOf(robin));
    await Promise.all([leaving, entering]);
    expect(shown().data).toBe('robin');
    expect(erasing()).toEqual([]);
  });

  it('reports that the journal could not be opened, and stores no owner', async () => {
    const { session, openOwner, shown } = setUp();
    openOwner.mockRejectedValueOnce(new DOMException('refused', 'SecurityError'));
    const signingIn = session.auth.signIn(credentialsOf(robin));
    await expect(signingIn).rejects.toMatchObject({ code: 'pawpals/not-stored' });
    expect(shown()).toEqual({ user: null, data: null });
    expect(readAccountPointer()).toBeNull();
    expect(device.provider).toBeNull();
  });

  it('ends the sign-in if the data of the last one cannot be erased', async () => {
    const { session, shown } = setUp();
    noteErasure('robin', 1);
    vi.spyOn(device.held, 'add').mockImplementationOnce(() => {
      throw new TypeError('no locks');
    });
    const signingIn = session.auth.signIn(credentialsOf(robin));
    await expect(signingIn).rejects.toMatchObject({ code: 'pawpals/not-stored' });
    expect(shown()).toEqual({ user: null, data: null });
    expect(device.provider).toBeNull();
  });

  it('does not wait for another tab that still holds the data of the last sign-in', async () => {
    const { session, openOwner, shown } = setUp();
    device.erasure = 'blocked';
    noteErasure('robin', 1);
    const signingIn = session.auth.signIn(credentialsOf(robin));
    await expect(signingIn).rejects.toMatchObject({ code: 'pawpals/open-elsewhere' });
    expect(openOwner).not.toHaveBeenCalled();
    expect(shown()).toEqual({ user: null, data: null });
    expect(erasing()).toEqual(['robin']);
    expect(device.provider).toBeNull();
  });

  it('a failed sign-in does not stand in the way of the next', async () => {
    const signIn = vi.fn<FirebaseAuthService['signIn']>();
    signIn.mockRejectedValueOnce(new Error('auth/invalid-credential')).mockResolvedValue(robin);
    const { controller, session, shown } = setUp({ signIn });
    await controller.start();
    await expect(session.auth.signIn(credentialsOf(robin))).rejects.toThrow('invalid-credential');
    await session.auth.signIn(credentialsOf(robin));
    expect(shown().data).toBe('robin');
  });
});

describe('another owner who signs in, since the open one can no longer', () => {
  async function enterAfter(prepare: () => void) {
    writeAccountPointer(robin, true);
    writeDraft({ owner: 'robin', name: 'note' }, 'typed');
    const app = setUp();
    await app.controller.start();
    prepare();
    return { ...app, entering: app.session.auth.signIn(credentialsOf(ben)) };
  }

  it('leaves nothing of the one before, if all of that was sent', async () => {
    const { entering, shown } = await enterAfter(() => noteErasure('ben', 1));
    await entering;
    expect(shown().data).toBe('ben');
    expect([...device.databases, device.provider]).toEqual(['ben', 'ben']);
    expect(Object.keys(localStorage)).toEqual(['pawpals:account']);
    expect(readAccountPointer()).toEqual(ben);
  });

  it('is refused while something of the one before is unsent, which stays open', async () => {
    const { entering, shown } = await enterAfter(() => device.unsent.add('robin'));
    await expect(entering).rejects.toMatchObject({ code: 'pawpals/other-unsent' });
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    expect([...device.databases, device.provider]).toEqual(['robin', null]);
    expect(readDrafts('robin')).toEqual(['typed']);
    expect(readAccountPointer()).toEqual(robin);
  });

  it('is refused a sign-up before the server creates the account', async () => {
    writeAccountPointer(robin, true);
    const register = vi.fn<FirebaseAuthService['register']>(async () => ben);
    const { controller, session, shown } = setUp({ register });
    await controller.start();
    device.unsent.add('robin');
    const signingUp = session.auth.register(credentialsOf(ben));
    await expect(signingUp).rejects.toMatchObject({ code: 'pawpals/other-unsent' });
    expect(register).not.toHaveBeenCalled();
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });

    device.unsent.clear();
    await session.auth.register(credentialsOf(ben));
    expect(shown().data).toBe('ben');
  });
});

describe('another tab', () => {
  const tell = (key: string, newValue: string | null): void => {
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  };

  it('signs out: this one closes, and erases nothing itself', async () => {
    writeAccountPointer(robin, true);
    const { controller, shown, steps } = setUp();
    await controller.start();
    localStorage.removeItem('pawpals:account');
    tell('pawpals:account', null);
    await vi.waitFor(() => expect(shown()).toEqual({ user: null, data: null }));
    // The SDK of the other tab may have stored the owner again while it was starting.
    await vi.waitFor(() => expect(steps).toEqual(['closed robin', 'provider forgets robin']));
  });

  it('signs in as somebody else: this one follows', async () => {
    writeAccountPointer(robin, true);
    const { controller, shown } = setUp();
    await controller.start();
    writeAccountPointer(ben, true);
    tell('pawpals:account', JSON.stringify(ben));
    await vi.waitFor(() => expect(shown()).toEqual({ user: 'ben', data: 'ben' }));
  });

  it('signs in as somebody else, whose journal cannot be opened here: this one says so', async () => {
    const { controller, openOwner, shown, store } = setUp();
    await controller.start();
    openOwner.mockRejectedValueOnce(new Error('UnknownError'));
    writeAccountPointer(ben, true);
    tell('pawpals:account', JSON.stringify(ben));
    await vi.waitFor(() => expect(shown()).toEqual({ user: 'ben', data: null }));
    expect(store.get(readFailureAtom)).toBeInstanceOf(Error);
  });

  it('erases the owner whose sign-in lies in the session of this tab', async () => {
    writeAccountPointer(robin, false);
    noteSessionOnlyOwner('robin');
    device.provider = 'robin';
    const { controller, shown } = setUp();
    await controller.start();
    expect(shown().user).toBe('robin');
    noteErasure('robin', 1);
    tell('pawpals:erasing:robin', '1');
    await vi.waitFor(() => expect(shown()).toEqual({ user: null, data: null }));
    expect(readAccountPointer()).toBeNull();
    await vi.waitFor(() => expect(device.provider).toBeNull());
  });

  it('erases the owner: this one closes and ends its sign-in, even before the pointer is cleared', async () => {
    writeAccountPointer(robin, true);
    const { controller, shown, steps } = setUp();
    await controller.start();
    noteErasure('robin', 1);
    tell('pawpals:erasing:robin', '1');
    await vi.waitFor(() => expect(steps).toEqual(['closed robin', 'provider forgets robin']));
    expect(shown()).toEqual({ user: null, data: null });
  });

  it('has erased the owner, who then came back: this one follows, and ends no sign-in', async () => {
    writeAccountPointer(robin, true);
    const { controller, openOwner, shown, steps } = setUp();
    await controller.start();
    tell('pawpals:erasing:robin', '1');
    await vi.waitFor(() => expect(openOwner).toHaveBeenCalledTimes(2));
    await controller.tidy();
    expect(shown()).toEqual({ user: 'robin', data: 'robin' });
    expect(readAccountPointer()).toEqual(robin);
    expect(steps).toEqual(['closed robin']);
  });
});
