import { CircleCheck, CircleX, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react';
import type { Toast, ToastVariant } from '../../lib/toasts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useSwipeAway } from './use-swipe-away.ts';

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

export function ToastCard({ toast, onDismiss }: ToastCardProps) {
  const { variant, message, action } = toast;
  const { icon: Icon, style } = looks[variant];
  const swipe = useSwipeAway(onDismiss);
  return (
    <div
      data-toast={variant}
      style={swipe.style}
      {...swipe.handlers}
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
    </div>
  );
}
