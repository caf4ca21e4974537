import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '../../features/account/settings-page.tsx';

export const Route = createFileRoute('/_app/settings')({
  staticData: { header: { title: 'Settings', lead: 'menu' } },
  component: SettingsPage,
});
