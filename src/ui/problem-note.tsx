import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';

/** An error message beside its cause. Screen readers announce it when it appears. */
export function ProblemNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="alert" className="flex gap-3 rounded-card bg-bracken-soft px-4 py-3 text-ink">
      <TriangleAlert aria-hidden size={20} className="mt-0.5 text-bracken" />
      <span>{children}</span>
    </p>
  );
}
