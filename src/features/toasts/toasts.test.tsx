import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createStore, Provider } from 'jotai';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import type { ToastRequest, ToastVariant } from '../../lib/toasts.ts';
import { hapticsAtom, type HapticKind } from '../../platform/haptics.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { clockAtom } from '../../platform/system-clock.ts';
import { toastsOf } from '../../platform/toasts.ts';
import { ToastRegion } from './toast-region.tsx';

function setUp() {
  const store = createStore();
  const felt: HapticKind[] = [];
  store.set(hapticsAtom, { notify: (kind) => felt.push(kind) });
  const clock = createFakeClock();
  store.set(clockAtom, clock);
  const toasts = toastsOf(store);
  render(
    <Provider store={store}>
      <button type="button">Elsewhere</button>
      <ToastRegion />
    </Provider>,
  );
  const show = (request: ToastRequest) => act(() => void toasts.show(request));
  const advance = (ms: number) => act(() => clock.advance(ms));
  return { store, felt, toasts, show, advance, user: userEvent.setup() };
}

describe('a toast', () => {
  it.each<[ToastVariant, HapticKind[]]>([
    ['info', []],
    ['success', ['success']],
    ['warning', ['warning']],
    ['error', ['error']],
  ])('of variant %s is an alert, and is felt as %j', async (variant, haptics) => {
    const { show, felt } = setUp();
    show({ message: 'Well', variant });
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe('Well');
    expect(alert.closest('[data-toast]')?.getAttribute('data-toast')).toBe(variant);
    expect(felt).toEqual(haptics);
  });

  it('is removed when its owner signs out, also after an earlier toast was dismissed', async () => {
    const { store, show, user } = setUp();
    const sam = { uid: 'owner', email: null, displayName: null };
    act(() => store.set(authStateAtom, (state) => ({ ...state, user: sam })));
    show({ message: 'One', durationMs: 0 });
    await user.click(await screen.findByRole('button', { name: 'Dismiss notification' }));
    show({ message: 'Two', durationMs: 0 });
    expect((await screen.findByRole('alert')).textContent).toBe('Two');
    act(() => store.set(authStateAtom, (state) => ({ ...state, user: null })));
    expect(screen.queryByRole('alert')).toBeNull();
    show({ message: 'Three', durationMs: 0 });
    expect((await screen.findByRole('alert')).textContent).toBe('Three');
  });

  it('can be dismissed', async () => {
    const { show, user } = setUp();
    show({ message: 'Well', durationMs: 0 });
    await user.click(await screen.findByRole('button', { name: 'Dismiss notification' }));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('has an action, which is done once and takes it away', async () => {
    const { show, user } = setUp();
    const undo = vi.fn<() => void>();
    show({ message: 'Deleted', action: { label: 'Undo', onSelect: undo } });
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('closes after its time, but not while it is hovered', async () => {
    const { show, advance, user } = setUp();
    show({ message: 'Well' });
    await user.hover(await screen.findByRole('alert'));
    await advance(60_000);
    expect(screen.getByRole('alert')).toBeDefined();
    await user.hover(screen.getByRole('button', { name: 'Elsewhere' }));
    await advance(4_000);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('stays while it has the focus, and gives it back', async () => {
    const { show, advance, user } = setUp();
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
    elsewhere.focus();
    show({ message: 'one' });
    show({ message: 'two' });
    await screen.findByText('two');
    await user.tab();
    const [first, second] = screen.getAllByRole('button', { name: 'Dismiss notification' });
    expect(document.activeElement).toBe(first);
    await advance(60_000);
    expect(screen.getAllByRole('alert')).toHaveLength(2);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(second);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(elsewhere);
  });

  describe('pushed by a finger', () => {
    function push(on: Element, way: readonly (readonly [number, number])[], pointerType = 'touch') {
      const pointer = { pointerId: 1, pointerType };
      fireEvent.pointerDown(on, { ...pointer, clientX: 0, clientY: 0 });
      for (const [clientX, clientY] of way) {
        fireEvent.pointerMove(on, { ...pointer, clientX, clientY });
      }
      return () => fireEvent.pointerUp(on, pointer);
    }

    it.each([
      ['to the right', [100, 0]],
      ['to the left', [-100, 10]],
      ['up', [5, -100]],
    ] as const)('%s goes', async (_name, to) => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      const letGo = push(alert, [to]);
      expect(screen.getByRole('alert')).toBe(alert);
      letGo();
      expect(screen.queryByRole('alert')).toBeNull();
    });

    it.each([
      ['a little', [30, 0], 'touch'],
      ['down', [10, 100], 'touch'],
      ['by a mouse, which selects its text,', [100, 0], 'mouse'],
    ] as const)('%s stays', async (_name, to, pointerType) => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      push(alert, [to], pointerType)();
      const card = alert.closest<HTMLElement>('[data-toast]');
      expect(card?.style.transform).toBe('');
    });

    it('follows the finger, and comes back if the browser takes that away', async () => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      push(alert, [
        [20, 4],
        [100, 4],
      ]);
      const card = alert.closest<HTMLElement>('[data-toast]');
      expect(card?.style.transform).toBe('translate(100px, 0px)');
      fireEvent.pointerCancel(alert, { pointerId: 1 });
      expect(card?.style.transform).toBe('');
    });

    it('on its action does nothing but move; a press does it', async () => {
      const { show } = setUp();
      const undo = vi.fn<() => void>();
      show({ message: 'Deleted', durationMs: 0, action: { label: 'Undo', onSelect: undo } });
      const button = await screen.findByRole('button', { name: 'Undo' });
      push(button, [[30, 0]])();
      fireEvent.click(button, { detail: 1 });
      expect(undo).not.toHaveBeenCalled();
      push(button, [[3, 2]])();
      fireEvent.click(button, { detail: 1 });
      expect(undo).toHaveBeenCalledOnce();
    });
  });

  it('can be reached while a modal is open', async () => {
    const { show } = setUp();
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    dialog.showModal();
    show({ message: 'Well', durationMs: 0 });
    const alert = await screen.findByRole('alert');
    expect(dialog.contains(alert)).toBe(true);
    act(() => dialog.remove());
    await waitFor(() => expect(document.body.contains(screen.getByRole('alert'))).toBe(true));
  });

  it('shows an owner\u2019s text as text', async () => {
    const { show } = setUp();
    show({ message: '<b>Bramble</b> deleted' });
    expect((await screen.findByRole('alert')).textContent).toBe('<b>Bramble</b> deleted');
  });
});
