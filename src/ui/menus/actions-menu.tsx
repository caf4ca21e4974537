import { useAtomValue } from 'jotai';
import EllipsisVertical from 'lucide-react/icons/ellipsis-vertical';
import { Suspense, useId, useRef, useState } from 'react';
import { actionSheetAtom } from '../../lib/action-sheet.ts';
import { lazyPart } from '../../lib/react/lazy-part.tsx';
import { IconButton } from '../icon-button.tsx';
import type { MenuAction } from './menu-action.ts';

const dropdown = lazyPart(
  async () => (await import('./actions-dropdown.lazy.tsx')).ActionsDropdown,
);

export interface ActionsMenuProps {
  /** The name of the button and the menu: "Actions for Bramble". */
  readonly label: string;
  readonly actions: readonly MenuAction[];
}

/**
 * A button with a menu of actions: a dropdown on the web, whose code loads on its first use, and the system's sheet in
 * the native wrapper.
 */
export function ActionsMenu({ label, actions }: ActionsMenuProps) {
  const sheet = useAtomValue(actionSheetAtom);
  const [opened, setOpened] = useState<'by-pointer' | 'by-keyboard' | null>(null);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const buttonId = useId();

  const openSheet = async (): Promise<void> => {
    if (sheet === null) return;
    const index = await sheet.show({ title: label, actions });
    if (index !== null) actions[index]?.onSelect?.();
  };

  const close = (): void => {
    setOpened(null);
    buttonRef.current?.focus();
  };

  return (
    <span className="relative inline-flex flex-none">
      <IconButton
        ref={buttonRef}
        id={buttonId}
        label={label}
        icon={EllipsisVertical}
        aria-haspopup="menu"
        aria-expanded={opened !== null}
        onPointerEnter={dropdown.preload}
        onFocus={dropdown.preload}
        onClick={({ detail }) => {
          // A click by keyboard has detail 0.
          if (sheet === null) setOpened(detail === 0 ? 'by-keyboard' : 'by-pointer');
          else void openSheet();
        }}
      />
      {opened !== null && (
        <Suspense>
          <dropdown.Component
            labelId={buttonId}
            actions={actions}
            startsAtFirst={opened === 'by-keyboard'}
            onClose={close}
          />
        </Suspense>
      )}
    </span>
  );
}
