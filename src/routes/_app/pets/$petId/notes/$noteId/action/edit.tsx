import { createFileRoute } from '@tanstack/react-router';
import { EditNotePage } from '../../../../../../../features/journal/edit-note-page.tsx';

export const Route = createFileRoute('/_app/pets/$petId/notes/$noteId/action/edit')({
  staticData: { header: { title: 'Edit Note', lead: 'back' } },
  component: EditNotePage,
});
