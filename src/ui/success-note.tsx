import CircleCheck from 'lucide-react/icons/circle-check';
import type { ReactNode } from 'react';

/**
 * A message of success. The element is always in the page, so that screen readers announce its text when it appears.
 */
export function SuccessNote({ children }: { readonly children: ReactNode }) {
  const isEmpty = children === null || children === false;
  return (
    <div role="status" className={isEmpty ? 'sr-only' : ''}>
      {!isEmpty && (
        <p className="flex gap-3 rounded-card bg-moss-soft px-4 py-3 text-ink">
          <CircleCheck aria-hidden size={20} className="mt-0.5 text-moss" />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
