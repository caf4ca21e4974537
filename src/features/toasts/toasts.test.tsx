import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createStore, Provider } from 'jotai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focusHeading } from '../../lib/dom/focus-heading.ts';
import { toastsOf, type ToastRequest, type ToastVariant } from '../../platform/toasts.ts';
import { ToastRegion } from './toast-region.tsx';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], shouldAdvanceTime: true });
});

afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const store = createStore();
  const toasts = toastsOf(store);
  render(
    <Provider store={store}>
      <h1>Note</h1>
      <button type="button">Elsewhere</button>
      <ToastRegion />
    </Provider>,
  );
  const show = (request: ToastRequest) => act(() => void toasts.show(request));
  const advance = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  return { toasts, show, advance, user };
}

const allAlerts = () => screen.queryAllByRole('alert').map((alert) => alert.textContent);

describe('a toast', () => {
  it.each<ToastVariant>(['info', 'success', 'warning', 'error'])(
    'of variant %s is an alert',
    async (variant) => {
      const { show } = setUp();
      show({ message: 'Well', variant });
      const alert = await screen.findByRole('alert');
      expect(alert.textContent).toBe('Well');
      expect(alert.closest('[data-toast]')?.getAttribute('data-toast')).toBe(variant);
    },
  );

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

  it('closes after its time, and not before', async () => {
    const { show, advance } = setUp();
    show({ message: 'Well', durationMs: 40_000 });
    await screen.findByRole('alert');
    advance(30_000);
    expect(allAlerts()).toEqual(['Well']);
    advance(10_000);
    expect(allAlerts()).toEqual([]);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('stays for %s', async (durationMs) => {
    const { show, advance } = setUp();
    show({ message: 'Read me', durationMs });
    await screen.findByRole('alert');
    advance(10_000_000);
    expect(allAlerts()).toEqual(['Read me']);
  });

  it('has a new timer when it replaces the one with its id', async () => {
    const { show, advance } = setUp();
    show({ id: 'sync', message: 'Sending', durationMs: 40_000 });
    await screen.findByRole('alert');
    advance(30_000);
    show({ id: 'sync', message: 'Sent', durationMs: 40_000 });
    advance(30_000);
    expect(allAlerts()).toEqual(['Sent']);
    advance(10_000);
    expect(allAlerts()).toEqual([]);
  });

  it('closes after its time, but not while it is hovered', async () => {
    const { show, advance, user } = setUp();
    show({ message: 'Well', durationMs: 40_000 });
    await user.hover(await screen.findByRole('alert'));
    advance(60_000);
    expect(allAlerts()).toEqual(['Well']);
    await user.hover(screen.getByRole('button', { name: 'Elsewhere' }));
    advance(40_000);
    expect(allAlerts()).toEqual([]);
  });

  it('stays while it has the focus, and gives it back', async () => {
    const { show, advance, user } = setUp();
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
    elsewhere.focus();
    show({ message: 'one', durationMs: 40_000 });
    show({ message: 'two', durationMs: 40_000 });
    await screen.findByText('two');
    await user.tab();
    const [first, second] = screen.getAllByRole('button', { name: 'Dismiss notification' });
    expect(document.activeElement).toBe(second?.closest('[data-toast]'));
    await user.tab();
    expect(document.activeElement).toBe(second);
    advance(60_000);
    expect(allAlerts()).toEqual(['one', 'two']);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(first);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(elsewhere);
  });

  it('gives the focus to the heading of the page if its former place is gone', async () => {
    const { show, user } = setUp();
    const gone = document.createElement('button');
    document.body.append(gone);
    gone.focus();
    show({ message: 'Deleted', action: { label: 'Undo', onSelect: () => undefined } });
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await user.keyboard('[F8]');
    gone.remove();
    undo.focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Note' }));
  });

  it('gives the focus back to the heading that a new page has focused', async () => {
    const { show, user } = setUp();
    focusHeading();
    show({ message: 'Deleted', action: { label: 'Undo', onSelect: () => undefined } });
    const undo = await screen.findByRole('button', { name: 'Undo' });
    await user.keyboard('[F8]');
    undo.focus();
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Note' }));
  });

  it('is measured in a dialog that opens, where its list is another element', async () => {
    const measured = new Set<Element>();
    class Observer {
      observe = (element: Element): void => void measured.add(element);
      disconnect = (): void => measured.clear();
    }
    vi.stubGlobal('ResizeObserver', Observer);
    const { show } = setUp();
    show({ message: 'Well', durationMs: 0 });
    await screen.findByRole('alert');
    const dialog = document.createElement('dialog');
    dialog.setAttribute('open', '');
    act(() => document.body.append(dialog));
    await waitFor(() => expect(dialog.querySelector('[data-toast]')).not.toBeNull());
    expect([...measured]).toEqual([dialog.firstElementChild]);
    act(() => dialog.remove());
  });

  it('is reached by F8, and dismissed by Escape', async () => {
    const { show, user } = setUp();
    const elsewhere = screen.getByRole('button', { name: 'Elsewhere' });
    elsewhere.focus();
    const action = { label: 'Undo', onSelect: () => undefined };
    show({ message: 'Well', durationMs: 0, action });
    await screen.findByRole('alert');
    await user.keyboard('[F8]');
    expect(document.activeElement).toBe(screen.getByRole('list'));
    await user.keyboard('{Escape}');
    expect(allAlerts()).toEqual([]);
    show({ message: 'Again', durationMs: 0 });
    await screen.findByRole('alert');
    await user.keyboard('[F8]');
    await user.tab();
    await user.keyboard('{Escape}');
    expect(allAlerts()).toEqual([]);
    expect(document.activeElement).toBe(elsewhere);
  });

  it('stays with its Undo when Escape is pressed elsewhere, and is dismissed by Escape inside of it', async () => {
    const { show, user } = setUp();
    show({ message: 'Well', durationMs: 0, action: { label: 'Undo', onSelect: () => undefined } });
    await screen.findByRole('alert');
    screen.getByRole('button', { name: 'Elsewhere' }).focus();
    await user.keyboard('{Escape>3/}{Escape}');
    expect(allAlerts()).toHaveLength(1);
    screen.getByRole('button', { name: 'Undo' }).focus();
    await user.keyboard('{Escape}');
    expect(allAlerts()).toEqual([]);
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
      ['at once', [[100, 0]]],
      [
        'bit by bit',
        [
          [20, 4],
          [100, 4],
        ],
      ],
    ] as const)('to the right %s goes', async (_name, way) => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      const letGo = push(alert, way);
      expect(screen.getByRole('alert')).toBe(alert);
      letGo();
      expect(screen.queryByRole('alert')).toBeNull();
    });

    it.each([
      ['a little', [30, 0], 'touch'],
      ['to the left', [-100, 10], 'touch'],
      ['down', [10, 100], 'touch'],
      ['by a mouse, which selects its text,', [100, 0], 'mouse'],
    ] as const)('%s stays', async (_name, to, pointerType) => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      push(alert, [to], pointerType)();
      expect(screen.getByRole('alert')).toBe(alert);
      expect(alert.closest('[data-toast]')?.getAttribute('data-swipe')).not.toBe('move');
    });

    it('follows the finger', async () => {
      const { show } = setUp();
      show({ message: 'Well', durationMs: 0 });
      const alert = await screen.findByRole('alert');
      push(alert, [
        [20, 4],
        [40, 4],
      ]);
      const card = alert.closest<HTMLElement>('[data-toast]');
      expect(card?.getAttribute('data-swipe')).toBe('move');
      expect(card?.style.getPropertyValue('--radix-toast-swipe-move-x')).toBe('40px');
    });

    it('a little keeps its action, which the next press does', async () => {
      const { show } = setUp();
      const undo = vi.fn<() => void>();
      show({ message: 'Deleted', durationMs: 0, action: { label: 'Undo', onSelect: undo } });
      const button = await screen.findByRole('button', { name: 'Undo' });
      push(button, [[30, 0]])();
      fireEvent.click(button, { detail: 1 });
      expect(undo).toHaveBeenCalledOnce();
    });
  });

  it('can be reached while a modal is open, which Escape closes instead', async () => {
    const { show } = setUp();
    const dialog = document.createElement('dialog');
    document.body.append(dialog);
    dialog.showModal();
    show({ message: 'Well', durationMs: 0 });
    const alert = await screen.findByRole('alert');
    expect(dialog.contains(alert)).toBe(true);
    fireEvent.keyDown(dialog, { key: 'Escape' });
    expect(dialog.contains(screen.getByRole('alert'))).toBe(true);
    act(() => dialog.remove());
    await waitFor(() => expect(document.body.contains(screen.getByRole('alert'))).toBe(true));
  });

  it('shows an owner\u2019s text as text', async () => {
    const { show } = setUp();
    show({ message: '<b>Bramble</b> deleted' });
    expect((await screen.findByRole('alert')).textContent).toBe('<b>Bramble</b> deleted');
  });
});
