import { Link } from '@tanstack/react-router';
import Files from 'lucide-react/icons/files';
import type { Entry } from '../../../../schemas/documents/document.ts';

/** A link to the page of an entry, which shows its conflict versions. */
export function OtherVersionLink({ entry }: { readonly entry: Entry }) {
  return (
    <Link
      to="/pets/$petId/notes/$noteId"
      params={{ petId: entry.petId, noteId: entry.id }}
      className="-my-2.5 inline-flex min-h-11 items-center gap-1 font-semibold text-bracken underline underline-offset-4"
    >
      <Files aria-hidden size={15} />
      Other version
    </Link>
  );
}
