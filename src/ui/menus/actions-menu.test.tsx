import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createStore, Provider } from 'jotai';
import { expect, it, onTestFinished, vi } from 'vitest';
import { actionSheetAtom, type ShowActionSheet } from '../../lib/action-sheet.ts';
import { ActionsMenu } from './actions-menu.tsx';

function setUp(show?: ShowActionSheet) {
  const store = createStore();
  if (show !== undefined) store.set(actionSheetAtom, { show });
  const edit = vi.fn<() => void>();
  const remove = vi.fn<() => void>();
  const actions = [
    { label: 'Edit', onSelect: edit },
    { label: 'Delete', tone: 'danger', onSelect: remove },
  ] as const;
  render(
    <Provider store={store}>
      <ActionsMenu label="Actions for Bramble" actions={actions} />
    </Provider>,
  );
  return { user: userEvent.setup(), edit, remove, actions };
}

const button = () => screen.getByRole('button', { name: 'Actions for Bramble' });

it('opens a menu by keyboard, runs the chosen action once, and returns the focus', async () => {
  const { user, edit, remove } = setUp();
  await user.tab();
  expect(document.activeElement).toBe(button());
  await user.keyboard('{Enter}');
  const menu = await screen.findByRole('menu', { name: 'Actions for Bramble' });
  expect(button().getAttribute('aria-expanded')).toBe('true');
  expect(menu.contains(document.activeElement)).toBe(true);
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Edit' })),
  );
  await user.keyboard('{End}{Enter}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect([edit.mock.calls.length, remove.mock.calls.length]).toEqual([0, 1]);
  await waitFor(() => expect(document.activeElement).toBe(button()));
});

it('closes on Escape without doing anything', async () => {
  const { user, edit, remove } = setUp();
  await user.click(button());
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(edit).not.toHaveBeenCalled();
  expect(remove).not.toHaveBeenCalled();
  await waitFor(() => expect(document.activeElement).toBe(button()));
});

it("closes when the system asks it to, as Android's Back button does on the first page", async () => {
  const watchers: EventTarget[] = [];
  class CloseWatcher extends EventTarget {
    constructor() {
      super();
      watchers.push(this);
    }
    destroy(): void {
      watchers.splice(watchers.indexOf(this), 1);
    }
  }
  vi.stubGlobal('CloseWatcher', CloseWatcher);
  onTestFinished(() => void vi.unstubAllGlobals());
  const { user } = setUp();
  await user.click(button());
  await screen.findByRole('menu');
  act(() => void watchers[0]?.dispatchEvent(new Event('close')));
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(document.activeElement).toBe(button());
  expect(watchers).toEqual([]);
});

it('closes on a press outside, which does nothing else', async () => {
  const { user } = setUp();
  await user.click(button());
  await screen.findByRole('menu');
  const veil = document.querySelector('[aria-hidden="true"].fixed');
  if (veil === null) throw new Error('no veil');
  await user.click(veil);
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
});

it("shows the system's sheet where there is one", async () => {
  const show = vi.fn<ShowActionSheet>(async () => 1);
  const { user, edit, remove, actions } = setUp(show);
  await user.click(button());
  await waitFor(() => expect(remove).toHaveBeenCalledTimes(1));
  expect(show).toHaveBeenCalledWith({ title: 'Actions for Bramble', actions });
  expect(edit).not.toHaveBeenCalled();
  expect(screen.queryByRole('menu')).toBeNull();
});
