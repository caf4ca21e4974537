import { act, screen, waitFor } from '@testing-library/react';
import { createStore } from 'jotai';
import { describe, expect, it, vi } from 'vitest';
import {
  entryRow,
  fakeData,
  petRow,
  type FakeData,
} from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { noteInvited } from '../../platform/install/install-memory.ts';
import { installWayAtom, type InstallWay } from '../../platform/install/install-offer.ts';
import { toastsAtom, toastsOf } from '../../platform/toasts.ts';
import { inviteToInstall } from './install-invitation.ts';
import { dataAtom } from '../session/session-controller.ts';

const invitation = /Keep PawPals on your home screen/;

interface SetUp {
  readonly path?: string;
  readonly notes?: number;
  /** The number of earlier visits. */
  readonly visits?: number;
  readonly way?: InstallWay | null;
}

function journalOf(notes: number): FakeData {
  const data = fakeData();
  data.pets.set([petRow('moss', 'Moss')]);
  data.entries.set(
    Array.from({ length: notes }, (_, index) => entryRow(`n${index}`, index, { petId: 'moss' })),
  );
  return data;
}

async function setUp({ path = '/pets', notes = 0, visits = 0, way }: SetUp) {
  const ask = vi.fn<() => Promise<void>>(async () => undefined);
  if (visits > 0) localStorage.setItem('pawpals.install', String(visits));
  const data = journalOf(notes);
  const app = openApp({ path, data });
  app.store.set(dataAtom, data);
  await screen.findByRole('heading', { level: 1 });
  inviteToInstall(app);
  act(() => app.store.set(installWayAtom, way === undefined ? { kind: 'offer', ask } : way));
  return { ...app, ask };
}

/** Waits for all pending tasks. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve)));

async function isShown(): Promise<boolean> {
  await settled();
  return screen.queryByText(invitation) !== null;
}

describe('the invitation to install', () => {
  it('appears after the third note, and installs', async () => {
    const { user, ask } = await setUp({ notes: 3 });
    await screen.findByText(invitation);
    await user.click(screen.getByRole('button', { name: 'Install' }));
    expect(ask).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.queryByText(invitation)).toBeNull());
  });

  it('appears with the second visit', async () => {
    await setUp({ visits: 1 });
    expect(await screen.findByText(invitation)).toBeDefined();
  });

  it('does not come before either', async () => {
    await setUp({ notes: 2 });
    expect(await isShown()).toBe(false);
    expect(localStorage.getItem('pawpals.install')).toBe('1');
  });

  it('does not come where nothing can be installed', async () => {
    await setUp({ notes: 3, visits: 5, way: null });
    expect(await isShown()).toBe(false);
  });

  it('waits until no other toast and no recovered recording is there', async () => {
    const { store, goTo } = await setUp({ notes: 2 });
    const comeBack = (): void => {
      act(() => goTo('/settings'));
      act(() => goTo('/pets'));
    };
    localStorage.setItem('pawpals.install', '2');
    act(() => void toastsOf(store).show({ id: 'other', message: 'Kept.' }));
    comeBack();
    expect(await isShown()).toBe(false);
    act(() => toastsOf(store).dismiss('other'));
    const recovered = document.createElement('section');
    recovered.setAttribute('aria-label', 'Recovered recordings');
    document.body.append(recovered);
    comeBack();
    expect(await isShown()).toBe(false);
    recovered.remove();
    comeBack();
    expect(await screen.findByText(invitation)).toBeDefined();
  });

  it('waits for a toast that is not drawn yet, since the list of toasts is loaded with the first one', async () => {
    const store = createStore();
    const toasts = toastsOf(store);
    toasts.show({ id: 'other', message: 'Kept.' });
    store.set(installWayAtom, { kind: 'by-hand' });
    store.set(dataAtom, journalOf(3));
    const { router } = openApp({ path: '/pets' });
    const shownIds = () => store.get(toastsAtom).map(({ id }) => id);
    inviteToInstall({ store, router });
    await settled();
    expect(shownIds()).toEqual(['other']);
    toasts.dismiss('other');
    inviteToInstall({ store, router });
    await settled();
    expect(shownIds()).toEqual(['install']);
  });

  it('waits for My Dogs, and goes when they are left', async () => {
    const { goTo } = await setUp({ notes: 3, path: '/pets/moss/profile' });
    expect(await isShown()).toBe(false);
    act(() => goTo('/pets'));
    await screen.findByText(invitation);
    act(() => goTo('/pets/moss/profile'));
    await waitFor(() => expect(screen.queryByText(invitation)).toBeNull());
    act(() => goTo('/pets'));
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(await isShown()).toBe(false);
  });

  it('never appears again', async () => {
    noteInvited();
    await setUp({ notes: 3 });
    expect(await isShown()).toBe(false);
  });

  it('leads to the steps where it has to be done by hand', async () => {
    const { user, path } = await setUp({ notes: 3, way: { kind: 'by-hand' } });
    await screen.findByText(invitation);
    await user.click(screen.getByRole('button', { name: 'Install' }));
    await waitFor(() => expect(path()).toBe('/settings#install'));
  });
});
