import { createFileRoute } from '@tanstack/react-router';
import { SetDobPage } from '../../../../../features/pets/edit/set-dob-page.tsx';
import { useLeave } from '../../../../../features/shell/use-go-back.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/set-dob')({
  staticData: { header: { title: 'Set Date of Birth', lead: 'back', hasSave: true } },
  component: SetDobRoute,
});

function SetDobRoute() {
  const { petId } = Route.useParams();
  return <SetDobPage key={petId} petId={petId} onSaved={useLeave(2)} />;
}
