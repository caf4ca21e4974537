import { createFileRoute, redirect } from '@tanstack/react-router';

export const Route = createFileRoute('/_app/pets/$petId/')({
  beforeLoad: () => {
    throw redirect({ to: '/', replace: true });
  },
});
