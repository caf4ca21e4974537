import type { ManifestOptions } from 'vite-plugin-pwa';
import { shareFields, sharePath } from './schemas/local/shared-item.ts';

const png = 'image/png';

function shortcut(name: string, url: string, icon: string) {
  return { name, url, icons: [{ src: `/shortcuts/${icon}-192.png`, sizes: '192x192', type: png }] };
}

function screenshot(name: string, form: 'narrow' | 'wide', label: string) {
  const sizes = { narrow: '780x1688', wide: '1280x800' }[form];
  const src = `/screenshots/${name}-${form}.png`;
  return { src, sizes, type: png, form_factor: form, label };
}

/** The app's manifest for browsers and systems. Its pictures are made by `npm run screenshots -- --manifest`. */
export const appManifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'PawPals',
  short_name: 'PawPals',
  description: 'A journal for each of your dogs that works offline.',
  lang: 'en-GB',
  dir: 'ltr',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  display_override: ['standalone', 'minimal-ui'],
  // A shortcut or a share reuses the open window, since two windows would compete.
  launch_handler: { client_mode: ['navigate-existing', 'auto'] },
  background_color: '#FBF8F2',
  theme_color: '#3E5C3A',
  categories: ['lifestyle', 'productivity', 'sports'],
  prefer_related_applications: false,
  icons: [
    { src: '/icon-192.png', sizes: '192x192', type: png, purpose: 'any' },
    { src: '/icon-512.png', sizes: '512x512', type: png, purpose: 'any' },
    { src: '/icon-maskable-512.png', sizes: '512x512', type: png, purpose: 'maskable' },
  ],
  screenshots: [
    screenshot('pets', 'narrow', 'Your dogs, each with a journal'),
    screenshot('profile', 'narrow', 'Notes and voice notes of one dog'),
    screenshot('profile', 'wide', 'Dogs on the left, the journal beside them'),
  ],
  shortcuts: [
    shortcut('New note', '/quick/note', 'note'),
    shortcut('Record voice note', '/quick/voice', 'voice'),
    shortcut('My Dogs', '/pets', 'dogs'),
  ],
  share_target: {
    action: sharePath,
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      title: shareFields.title,
      text: shareFields.text,
      url: shareFields.url,
      files: [{ name: shareFields.files, accept: ['image/*', 'audio/*'] }],
    },
  },
};
