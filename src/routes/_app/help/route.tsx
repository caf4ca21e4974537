import { createFileRoute } from '@tanstack/react-router';
import { HelpPage } from '../../../features/help/help-page.tsx';

export const Route = createFileRoute('/_app/help')({
  staticData: { header: { title: 'Help & Support', lead: 'menu' } },
  component: HelpPage,
});
