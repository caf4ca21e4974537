import { atom, useStore, type createStore } from 'jotai';
import { createToasts, type Toasts } from '../lib/toasts.ts';
import { hapticsAtom } from './haptics.ts';
import { newId } from './new-id.ts';
import { clockAtom } from './system-clock.ts';
import { toastsAtom } from './toast-state.ts';

type Store = ReturnType<typeof createStore>;

const serviceAtom = atom<Toasts | null>(null);

/** Returns the toasts of the app whose state is in that store. */
export function toastsOf(store: Store): Toasts {
  const known = store.get(serviceAtom);
  if (known !== null) return known;
  const toasts = createToasts({
    clock: store.get(clockAtom),
    newId,
    onChange: (all) => store.set(toastsAtom, all),
    onShown: ({ variant }) => {
      if (variant !== 'info') store.get(hapticsAtom).notify(variant);
    },
  });
  store.set(serviceAtom, toasts);
  return toasts;
}

/** Returns the toasts, for a short message: `useToasts().show({ message: 'Saved', variant: 'success' })`. */
export function useToasts(): Toasts {
  return toastsOf(useStore());
}
