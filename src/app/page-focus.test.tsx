import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fakeData, petRow } from '../../tests/support/fakes/fake-data.ts';
import { openApp, type OpenAppOptions } from '../../tests/support/setups/open-app.tsx';
import { nextTask } from '../lib/async/next-task.ts';
import { followPages } from './page-focus.ts';

let end = (): void => undefined;

afterEach(() => {
  end();
  vi.restoreAllMocks();
});

function openPages(options: OpenAppOptions) {
  const app = openApp(options);
  end = followPages(app.router);
  return app;
}

function focused(): string {
  const { activeElement: active } = document;
  return `${active?.localName ?? ''} ${active?.textContent ?? ''}`;
}

describe('after a navigation', () => {
  it('the focus is on the heading of the new page, which no Tab stops at', async () => {
    const { user } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(document.activeElement).toBe(document.body);
    await user.click(screen.getByRole('link', { name: 'Privacy policy' }));
    await waitFor(() => expect(focused()).toBe('h1 Privacy policy'));
    const heading = document.activeElement;
    await user.tab();
    expect(heading?.hasAttribute('tabindex')).toBe(false);
  });

  it('focuses the heading even if the pressed element is still there', async () => {
    const { user } = openPages({ path: '/pets/new' });
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(focused()).toBe('h1 My Dogs'));
  });

  it('is on the link to the page left after a step back, also from a dialog', async () => {
    const { user } = openPages({ path: '/settings' });
    await user.click(await screen.findByRole('link', { name: 'Delete Account' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(focused()).toBe('a Delete Account'));
  });

  it('is on the button of the menu that led to the page left after a step back', async () => {
    const data = fakeData();
    data.pets.set([petRow('bramble', 'Bramble'), petRow('otter', 'Otter')]);
    const { user, history } = openPages({ path: '/pets', data });
    await user.click(await screen.findByRole('button', { name: 'Actions for Otter' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Edit Details' }));
    await screen.findByRole('textbox', { name: 'Pet Name' });
    act(() => history.back());
    await waitFor(() =>
      expect(document.activeElement?.getAttribute('aria-label')).toBe('Actions for Otter'),
    );
  });

  it('is on that link also if it comes after the heading, unless the owner goes on meanwhile', async () => {
    const data = fakeData();
    data.pets.set([petRow('bramble', 'Bramble')]);
    const { user, history } = openPages({ path: '/pets/bramble/actions', data });
    await user.click(await screen.findByRole('link', { name: 'Edit Details' }));
    const field = await screen.findByRole('textbox', { name: 'Pet Name' });
    const comeBack = async (): Promise<void> => {
      act(() => {
        history.back();
        data.pets.set([]);
      });
      await waitFor(() => expect(focused()).toBe('h1 Actions'));
    };
    const read = () => act(() => data.pets.set([petRow('bramble', 'Bramble')]));
    const focus = vi.spyOn(HTMLElement.prototype, 'focus');
    field.focus();
    await comeBack();
    read();
    await waitFor(() => expect(focused()).toBe('a Edit Details'));
    // No browser shows the focus then, as it would after a text field.
    expect(focus).toHaveBeenLastCalledWith({ preventScroll: true, focusVisible: false });
    history.forward();
    await screen.findByRole('textbox', { name: 'Pet Name' });
    await comeBack();
    screen.getByRole('button', { name: 'Back' }).focus();
    read();
    await screen.findByRole('link', { name: 'Edit Details' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back' }));
  });

  it('is on the heading after a step back to a page without that link', async () => {
    const { goTo, history } = openPages({ path: '/settings' });
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    goTo('/pets');
    await waitFor(() => expect(focused()).toBe('h1 My Dogs'));
    history.back();
    await waitFor(() => expect(focused()).toBe('h1 Settings'));
    // An owner who taps beside everything is not brought back by a change of the page.
    screen.getByRole('heading', { level: 1 }).blur();
    document.body.append(document.createElement('p'));
    await nextTask();
    expect(document.activeElement).toBe(document.body);
  });

  it('is on the heading of a page that is navigated to, also if it links to the page left', async () => {
    const { goTo } = openPages({ path: '/privacy' });
    await screen.findByRole('heading', { level: 1, name: 'Privacy policy' });
    goTo('/settings');
    await waitFor(() => expect(focused()).toBe('h1 Settings'));
  });

  it('focuses the heading even if a closing menu returns the focus to its button', async () => {
    const { user } = openPages({ path: '/pets' });
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    await user.click(await screen.findByRole('link', { name: 'Settings' }));
    await waitFor(() => expect(focused()).toBe('h1 Settings'));
  });

  it('is on the main part until the heading is there', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    const { goTo } = openPages({ path: '/pets', data });
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    goTo('/pets/bramble/profile');
    await waitFor(() => expect(document.activeElement?.localName).toBe('main'));
    act(() => data.pets.set([petRow('bramble', 'Bramble')]));
    await waitFor(() => expect(focused()).toBe('h1 Bramble'));
  });

  it('is on the heading that comes late, also when the page is navigated to once more meanwhile', async () => {
    const data = fakeData();
    data.fetchedOnce.set(false);
    const { goTo, router } = openPages({ path: '/pets', data });
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    goTo('/pets/bramble/profile');
    await waitFor(() => expect(document.activeElement?.localName).toBe('main'));
    await act(() => router.invalidate());
    act(() => data.pets.set([petRow('bramble', 'Bramble')]));
    await waitFor(() => expect(focused()).toBe('h1 Bramble'));
  });

  it('is left where the page has put it', async () => {
    const { user } = openPages({ path: '/settings' });
    await user.click(await screen.findByRole('link', { name: 'Delete Account' }));
    await screen.findByRole('alertdialog', { name: 'Delete Account' });
    await waitFor(() => expect(focused()).toBe('button Cancel'));
  });
});
