import type { LucideIcon } from 'lucide-react';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleX from 'lucide-react/icons/circle-x';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import X from 'lucide-react/icons/x';
import * as RadixToast from 'radix-ui/toast';
import { useRef } from 'react';
import type { Toast, ToastVariant } from '../../platform/toasts.ts';
import { IconButton } from '../../ui/icon-button.tsx';

const looks: Readonly<Record<ToastVariant, { readonly icon: LucideIcon; readonly style: string }>> =
  {
    info: { icon: Info, style: 'text-heather' },
    success: { icon: CircleCheck, style: 'text-moss' },
    warning: { icon: TriangleAlert, style: 'text-bracken' },
    error: { icon: CircleX, style: 'text-danger' },
  };

export interface ToastCardProps {
  readonly toast: Toast;
  readonly onDismiss: () => void;
}

/** Radix offers buttons as well. After a swipe that was too short they ignore the next press, so these are ours. */
export function ToastCard({ toast, onDismiss }: ToastCardProps) {
  const { variant, message, action, durationMs } = toast;
  const { icon: Icon, style } = looks[variant];
  const isKept = useRef(false);
  return (
    <RadixToast.Root
      open
      duration={durationMs > 0 ? durationMs : Number.POSITIVE_INFINITY}
      onOpenChange={() => {
        if (!isKept.current) onDismiss();
        isKept.current = false;
      }}
      // An Escape that is meant for something else takes no Undo away. Preventing its default would keep a dialog open.
      onEscapeKeyDown={({ target }) => {
        const isWithin = (selector: string): boolean =>
          target instanceof Element && target.closest(selector) !== null;
        isKept.current =
          isWithin('dialog[open]') || (action !== null && !isWithin('[data-toasts]'));
      }}
      // A mouse selects text instead of swiping.
      onPointerMove={(event) => {
        if (event.pointerType === 'mouse') event.preventDefault();
      }}
      style={{ userSelect: 'text', touchAction: 'pinch-zoom' }}
      data-toast={variant}
      data-has-action={action === null ? undefined : true}
      className="toast pointer-events-auto flex flex-wrap items-center justify-end gap-1 rounded-card border border-line bg-paper py-1 pr-1 pl-4 text-ink shadow-lg"
    >
      <div role="alert" className="flex min-w-[min(9rem,100%)] flex-1 items-center gap-3 py-2">
        <Icon aria-hidden size={20} className={style} />
        <div dir="auto" className="min-w-0 flex-1 wrap-anywhere">
          {message}
        </div>
      </div>
      <div className="flex flex-none items-center gap-1">
        {action !== null && (
          <button
            type="button"
            className="min-h-11 rounded-full px-3 font-semibold text-moss underline underline-offset-4"
            onClick={() => {
              onDismiss();
              action.onSelect();
            }}
          >
            {action.label}
          </button>
        )}
        <IconButton label="Dismiss notification" icon={X} onClick={onDismiss} />
      </div>
    </RadixToast.Root>
  );
}
