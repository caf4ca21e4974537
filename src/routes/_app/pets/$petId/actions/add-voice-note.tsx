import { createFileRoute, Link } from '@tanstack/react-router';
import { RecordPage } from '../../../../../features/voice-notes/record-page.tsx';
import { buttonStyle } from '../../../../../ui/button-style.ts';

export const Route = createFileRoute('/_app/pets/$petId/actions/add-voice-note')({
  staticData: { header: { title: 'Record Voice Note', lead: 'back' } },
  component: RecordRoute,
});

function RecordRoute() {
  const { petId } = Route.useParams();
  return (
    <RecordPage>
      <Link
        to="/pets/$petId/actions/add-note"
        params={{ petId }}
        replace
        className={buttonStyle('primary')}
      >
        Write a note
      </Link>
    </RecordPage>
  );
}
