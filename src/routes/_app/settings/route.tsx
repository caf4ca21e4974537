import { createFileRoute } from '@tanstack/react-router';
import { SettingsPage } from '../../../features/account/settings-page.tsx';
import { EnterSetting } from '../../../features/journal/composer/enter-setting.tsx';
import { DataSection } from '../../../features/storage/data-section.tsx';
import { VoiceSection } from '../../../features/voice-notes/voice-section.tsx';

export const Route = createFileRoute('/_app/settings')({
  staticData: { header: { title: 'Settings', lead: 'menu' } },
  component: Settings,
});

function Settings() {
  return (
    <SettingsPage>
      <EnterSetting />
      <DataSection />
      <VoiceSection />
    </SettingsPage>
  );
}
