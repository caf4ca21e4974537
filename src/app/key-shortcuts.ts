import type { createStore } from 'jotai';
import { areShortcutsShownAtom } from '../lib/react/shortcuts-state.ts';
import { shortcutsAreOff } from '../platform/storage/device-choice.ts';
import type { createAppRouter } from './router.ts';

export interface ShortcutParts {
  readonly store: ReturnType<typeof createStore>;
  readonly router: Pick<ReturnType<typeof createAppRouter>, 'navigate' | 'state'>;
  readonly page: Document;
}

const fields = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]';

/** Open dialogs and menus; in a menu, a letter goes to the entry that begins with it. */
const overlays = 'dialog[open], [role="menu"]';

/** Focuses an element. @returns false if the page does not have it. */
function focusOn(page: Document, selector: string): boolean {
  const box = page.querySelector<HTMLElement>(selector);
  box?.focus();
  return box !== null;
}

function petIdOf({ state }: ShortcutParts['router']): string | undefined {
  const params: { readonly petId?: string } = state.matches.at(-1)?.params ?? {};
  return params.petId;
}

function search({ router, page }: ShortcutParts): void {
  if (focusOn(page, 'main search input')) return;
  const pet = petIdOf(router);
  void router.navigate({ to: '/search', search: pet === undefined ? {} : { pet } });
}

function writeNote({ router, page }: ShortcutParts): void {
  if (focusOn(page, '.composer textarea')) return;
  const petId = petIdOf(router);
  if (petId === undefined) void router.navigate({ to: '/quick/note' });
  else {
    const to = '/pets/$petId/actions/add-note';
    void router.navigate({ to, params: { petId }, state: { stepsBack: 1 } });
  }
}

const actions: Readonly<Record<string, (parts: ShortcutParts) => void>> = {
  '/': search,
  n: writeNote,
  '?': ({ store }) => store.set(areShortcutsShownAtom, true),
};

/**
 * Follows the single-key shortcuts on the pages of an owner; `ShortcutsDialog` lists them.
 *
 * - No key acts while the owner types, while a dialog or a menu is open, or together with Ctrl, Alt or the system's key.
 * - All of them can be switched off (WCAG 2.1.4).
 *
 * @returns a function that stops following.
 */
export function followShortcuts(parts: ShortcutParts): () => void {
  const { router, page } = parts;
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, target, repeat, defaultPrevented } = event;
    const action = actions[key];
    if (action === undefined || repeat || defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (target instanceof Element && target.closest(fields) !== null) return;
    const isOwners = router.state.matches.some(({ routeId }) => routeId === '/_app');
    if (!isOwners || page.querySelector(overlays) !== null || shortcutsAreOff.isMade()) return;
    // Otherwise the key would be typed into the focused box; Firefox opens its own search with "/".
    event.preventDefault();
    action(parts);
  };
  page.addEventListener('keydown', onKeyDown);
  return () => page.removeEventListener('keydown', onKeyDown);
}
