import { createFileRoute } from '@tanstack/react-router';
import { EmptyState } from '../../../../../ui/empty-state.tsx';

export const Route = createFileRoute('/_app/pets/$petId/actions/change-profile-picture')({
  staticData: { header: { title: 'Change Profile Picture', lead: 'back' } },
  component: () => <EmptyState sentence="Coming soon" />,
});
