import { Pencil } from 'lucide-react';
import { ComingSoon } from '../../ui/coming-soon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';

export function EditNotePage() {
  return (
    <EmptyState
      sentence="Entries cannot be edited yet."
      picture={<Pencil aria-hidden size={40} className="text-moss" />}
    >
      <ComingSoon />
    </EmptyState>
  );
}
