import { createFileRoute } from '@tanstack/react-router';
import { requireIds } from '../../../../features/shell/route-checks.ts';

export const Route = createFileRoute('/_app/pets/$petId')({
  beforeLoad: ({ params }) => requireIds(params),
});
