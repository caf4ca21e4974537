import { beforeEach, describe, expect, it } from 'vitest';
import {
  ben,
  credentialsOf,
  device,
  erasing,
  resetDevice,
  robin,
  setUp,
  startAndErase,
} from '../../../tests/support/setups/session-setup.ts';
import { writeAccountPointer } from '../../platform/auth/account-pointer.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { noteErasure } from '../../platform/storage/pending-erasure.ts';

beforeEach(resetDevice);

describe('sign-outs of several owners that were cut short', () => {
  it('are all finished at a later start', async () => {
    const failing = setUp({ signOutOf: () => Promise.reject(new Error('no')) });
    await failing.controller.start();
    device.erasure = 'blocked';
    for (const user of [robin, ben]) {
      await failing.session.auth.signIn(credentialsOf(user));
      await failing.session.signOut();
    }
    expect(erasing()).toEqual(['ben', 'robin']);
    device.erasure = 'erased';
    await startAndErase();
    expect([...device.databases]).toEqual([]);
    expect(erasing()).toEqual([]);
  });

  it('finish although one of them cannot be finished', async () => {
    noteErasure('ben', 1);
    noteErasure('robin', 1);
    const signOutOf = (uid: string) =>
      uid === 'ben' ? Promise.reject(new Error('no')) : Promise.resolve();
    await startAndErase({ signOutOf });
    expect(erasing()).toEqual(['ben']);
  });
});

describe('a sign-out that was cut short', () => {
  it('is finished at the next start', async () => {
    device.databases.add('robin');
    device.provider = 'robin';
    noteErasure('robin', 1);
    const { shown } = await startAndErase();
    expect([device.databases.size, device.provider, erasing()]).toEqual([0, null, []]);
    expect(shown().user).toBeNull();
  });

  it('is tried again, also if the provider failed, and the app starts all the same', async () => {
    noteErasure('robin', 1);
    const failing = await startAndErase({ signOutOf: () => Promise.reject(new Error('no')) });
    expect(failing.store.get(authStateAtom).initialized).toBe(true);
    expect(erasing()).toEqual(['robin']);
    await startAndErase();
    expect(erasing()).toEqual([]);
  });

  it('is tried again while another tab holds a database open', async () => {
    device.databases.add('robin');
    device.erasure = 'blocked';
    noteErasure('robin', 1);
    await startAndErase();
    expect(erasing()).toEqual(['robin']);
    device.erasure = 'erased';
    await startAndErase();
    expect([device.databases.size, erasing()]).toEqual([0, []]);
  });

  it('never erases what the owner wrote after coming back', async () => {
    const failing = setUp({ signOutOf: () => Promise.reject(new Error('no')) });
    await failing.controller.start();
    await failing.session.auth.signIn(credentialsOf(robin));
    await failing.session.signOut();
    expect(erasing()).toEqual(['robin']);

    await failing.session.auth.signIn(credentialsOf(robin));
    expect(erasing()).toEqual([]);
    expect([...device.databases]).toEqual(['robin']);
    const next = setUp();
    await next.controller.start();
    expect(next.shown().data).toBe('robin');
    expect(next.steps).toEqual([]);
  });

  it('before the pointer was cleared did not happen', async () => {
    writeAccountPointer(robin, true);
    device.databases.add('robin');
    noteErasure('robin', 1);
    const { controller, shown } = setUp();
    await controller.start();
    expect(shown().data).toBe('robin');
    expect([...device.databases]).toEqual(['robin']);
    expect(erasing()).toEqual([]);
  });
});
