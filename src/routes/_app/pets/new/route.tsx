import { createFileRoute } from '@tanstack/react-router';
import { CreatePetPage } from '../../../../features/pets/edit/create-pet-page.tsx';

export const Route = createFileRoute('/_app/pets/new')({
  staticData: { header: { title: 'Create Pet', lead: 'back', hasSave: true } },
  component: CreatePetPage,
});
