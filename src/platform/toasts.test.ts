import { createStore } from 'jotai';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { authStateAtom } from './auth/session.ts';
import { hapticsAtom, type HapticKind } from './haptics.ts';
import { clockAtom } from './system-clock.ts';
import { toastsAtom, toastsOf, type Toasts, type ToastVariant } from './toasts.ts';

let clock: FakeClock;
let store: ReturnType<typeof createStore>;
let toasts: Toasts;
let felt: HapticKind[];

beforeEach(() => {
  clock = createFakeClock();
  store = createStore();
  felt = [];
  store.set(clockAtom, clock);
  store.set(hapticsAtom, { notify: (kind) => felt.push(kind) });
  toasts = toastsOf(store);
});

const messages = () => store.get(toastsAtom).map(({ message }) => message);

describe('a toast', () => {
  it('has a variant, an id, a trimmed message, a time of 4000 ms and one of creation', () => {
    const id = toasts.show({ message: '  Saved \n' });
    expect(id).not.toBeNull();
    expect(store.get(toastsAtom)).toEqual([
      {
        id,
        variant: 'info',
        message: 'Saved',
        durationMs: 4_000,
        action: null,
        isAboutApp: false,
        createdAtMs: clock.now(),
      },
    ]);
  });

  it.each<[ToastVariant, HapticKind[]]>([
    ['info', []],
    ['success', ['success']],
    ['warning', ['warning']],
    ['error', ['error']],
  ])('of variant %s is felt as %j', (variant, haptics) => {
    toasts.show({ message: 'Well', variant });
    expect(felt).toEqual(haptics);
  });

  it.each(['', ' ', '\n\t '])('of %j is ignored', (message) => {
    expect(toasts.show({ message, variant: 'error' })).toBeNull();
    expect(messages()).toEqual([]);
    expect(felt).toEqual([]);
  });

  it('can be dismissed', () => {
    const first = toasts.show({ message: 'one' });
    toasts.show({ message: 'two' });
    toasts.show({ message: 'three' });
    toasts.dismiss(first ?? '');
    toasts.dismiss('nobody');
    expect(messages()).toEqual(['two', 'three']);
  });

  it('replaces the one with its id', () => {
    toasts.show({ id: 'sync', message: 'Sending' });
    toasts.show({ id: 'sync', message: 'Sent' });
    expect(messages()).toEqual(['Sent']);
  });

  it('is removed when its owner signs out, but not when one signs in', () => {
    const user = { uid: 'owner', email: null, displayName: null };
    toasts.show({ message: 'An update' });
    store.set(authStateAtom, (state) => ({ ...state, user }));
    expect(messages()).toEqual(['An update']);
    store.set(authStateAtom, (state) => ({ ...state, user: null }));
    expect(messages()).toEqual([]);
  });

  it('stays at a sign-out if it is about the app', () => {
    const user = { uid: 'owner', email: null, displayName: null };
    store.set(authStateAtom, (state) => ({ ...state, user }));
    toasts.show({ message: 'A new version', durationMs: 0, isAboutApp: true });
    toasts.show({ message: 'Your note was deleted', durationMs: 0 });
    store.set(authStateAtom, (state) => ({ ...state, user: null }));
    expect(messages()).toEqual(['A new version']);
  });
});

describe('the same text', () => {
  it('is suppressed for less than 500 ms, whatever became of the first', async () => {
    const first = toasts.show({ message: 'Saved', variant: 'success' });
    await clock.advance(499);
    expect(toasts.show({ message: ' Saved ', variant: 'error' })).toBeNull();
    toasts.dismiss(first ?? '');
    expect(toasts.show({ message: 'Saved' })).toBeNull();
    expect(felt).toEqual(['success']);
    await clock.advance(1);
    expect(toasts.show({ message: 'Saved' })).not.toBeNull();
  });

  it('is not suppressed once the clock was set back', () => {
    let nowMs = clock.now();
    const other = createStore();
    other.set(clockAtom, { ...clock, now: () => nowMs });
    const shown = toastsOf(other);
    shown.show({ message: 'Not saved' });
    nowMs -= 3_600_000;
    expect(shown.show({ message: 'Not saved' })).not.toBeNull();
  });

  it('counts from when it was shown, not from when it was suppressed', async () => {
    toasts.show({ message: 'Saved' });
    await clock.advance(300);
    toasts.show({ message: 'Saved' });
    await clock.advance(200);
    expect(toasts.show({ message: 'Saved' })).not.toBeNull();
  });

  it('means texts alone: others and anything that is not a text come through', () => {
    toasts.show({ message: 'Saved' });
    toasts.show({ message: 'Saved again' });
    toasts.show({ message: 7 });
    toasts.show({ message: 7 });
    expect(messages()).toEqual(['Saved', 'Saved again', 7, 7]);
  });
});
