import { createFileRoute } from '@tanstack/react-router';
import { PetsPage } from '../../../features/pets/pets-page.tsx';

export const Route = createFileRoute('/_app/pets/')({
  staticData: { header: { title: 'My Dogs', lead: 'menu', hasSearch: true } },
  component: PetsPage,
});
