import { createFileRoute, Outlet } from '@tanstack/react-router';
import { DogRail } from '../../../../features/pets/dog-rail.tsx';
import { requireIds } from '../../../../features/shell/route-checks.ts';

export const Route = createFileRoute('/_app/pets/$petId')({
  beforeLoad: ({ params }) => requireIds(params),
  component: PetLayout,
});

function PetLayout() {
  return (
    <div className="flex min-h-0 flex-1">
      <DogRail />
      <div className="flex min-w-0 flex-1 flex-col">
        <Outlet />
      </div>
    </div>
  );
}
