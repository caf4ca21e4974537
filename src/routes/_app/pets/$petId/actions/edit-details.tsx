import { createFileRoute } from '@tanstack/react-router';
import { EditDetailsPage } from '../../../../../features/pets/edit/edit-details-page.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/edit-details')({
  staticData: { header: { title: 'Edit Details', lead: 'back', hasSave: true } },
  component: EditDetailsRoute,
});

function EditDetailsRoute() {
  const { petId } = Route.useParams();
  return <EditDetailsPage key={petId} petId={petId} onSaved={useLeave(2)} />;
}
