import * as DropdownMenu from 'radix-ui/dropdown-menu';
import { useEffect, useEffectEvent } from 'react';
import { classNames } from '../../lib/dom/class-names.ts';
import { onCloseRequest } from '../../lib/dom/close-request.ts';
import { useStepBack } from '../use-step-back.ts';
import type { MenuAction } from './menu-action.ts';

export interface ActionsDropdownProps {
  /** The id of the button that it belongs to. */
  readonly labelId: string;
  readonly actions: readonly MenuAction[];
  /** Whether the first action gets the focus, and not the menu as a whole. */
  readonly startsAtFirst: boolean;
  /** Returns the focus to the button. */
  readonly onClose: () => void;
}

const itemStyle =
  'flex min-h-11 cursor-default items-center gap-3 rounded-lg px-3 select-none outline-offset-[-3px] data-highlighted:bg-card-strong';

/** Focuses an action. Radix does so only after a key press that it has seen itself. */
function focusAtOnce(item: HTMLElement | null): void {
  item?.focus();
}

/**
 * The open menu of an `ActionsMenu`. Radix's modal mode needs an inline style that the content security policy blocks,
 * so an overlay catches presses outside instead.
 */
export function ActionsDropdown(props: ActionsDropdownProps) {
  const { labelId, actions, startsAtFirst, onClose } = props;
  useStepBack(onClose);
  const closeNow = useEffectEvent(onClose);
  useEffect(() => onCloseRequest(() => closeNow()), []);
  return (
    <DropdownMenu.Root open modal={false} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DropdownMenu.Trigger asChild>
        <span aria-hidden="true" className="pointer-events-none absolute inset-0" />
      </DropdownMenu.Trigger>
      {/* At the end of the page, the menu would be outside all landmarks. */}
      <DropdownMenu.Portal container={document.querySelector('main')}>
        <div>
          <div aria-hidden="true" className="fixed inset-0 z-40" />
          <DropdownMenu.Content
            aria-labelledby={labelId}
            align="end"
            sideOffset={4}
            collisionPadding={8}
            className="menu z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[min(20rem,calc(100vw-1rem))] min-w-48 overflow-y-auto rounded-card border border-line bg-paper p-1.5 shadow-lg"
            onCloseAutoFocus={(event) => event.preventDefault()}
          >
            {actions.map(({ label, tone, icon: Icon, onSelect }, index) => (
              <DropdownMenu.Item
                key={label}
                ref={startsAtFirst && index === 0 ? focusAtOnce : undefined}
                className={classNames(itemStyle, tone === 'danger' ? 'text-danger' : 'text-ink')}
                onSelect={() => onSelect?.()}
              >
                {Icon !== undefined && <Icon aria-hidden size={20} />}
                <span className="min-w-0 break-words">{label}</span>
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </div>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
