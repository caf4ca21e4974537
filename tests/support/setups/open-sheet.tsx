import { screen, within } from '@testing-library/react';
import { vi } from 'vitest';
import type { Commands } from '../../../src/data/commands/commands.ts';
import type { Files } from '../../../src/data/files/files.ts';
import type { KeptVersion, SyncOverview } from '../../../src/data/queries/queries.ts';
import { fakeData, nothingUnsent, petRow } from '../fakes/fake-data.ts';
import { openApp } from './open-app.tsx';

/** A conflict version: a text about Bramble that a merge did not choose. */
export const version: KeptVersion = {
  id: 'lost',
  kind: 'conflict-version',
  collection: 'entries',
  documentId: 'one',
  petId: 'pet',
  fields: { text: 'what I wrote' },
  edits: {},
  reason: 'other-edit',
  side: 'local',
  keptAtMs: 1,
};

/** Opens the Sync sheet over the list of dogs, which contains Bramble. */
export async function openSheet(
  overview: Partial<SyncOverview>,
  commands: Partial<Commands> = {},
  fileCommands: Partial<Files> = {},
) {
  const data = fakeData(commands, fileCommands);
  const { parkedPets = [], parkedEntries = [] } = overview;
  const parkedCount = parkedPets.length + parkedEntries.length;
  data.pets.set([petRow('pet', 'Bramble')]);
  data.overview.set({ ...nothingUnsent, parkedCount, ...overview });
  const app = openApp({ path: '/pets', data });
  await app.user.click(await screen.findByRole('button', { name: /Sync details/ }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Sync' }));
  return { ...app, sheet };
}

/** Watches the files that the app offers as downloads, in order; none is stored. */
export function watchDownloads() {
  const createObjectURL = vi.fn<(content: Blob) => string>(() => 'blob:exported');
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined });
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  return { clicked, createObjectURL };
}
