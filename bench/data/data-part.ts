import { join } from 'node:path';
import type { Measurement } from '../measurement.ts';
import { openProfile, withPage } from '../run/browser.ts';
import { servePage } from '../run/page-server.ts';
import { say } from '../run/progress.ts';
import { inRounds } from '../run/rounds.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { measureRound, prepareJournal } from './data-round.ts';
import { dataMeasurements } from './data-measurements.ts';
import { manyStored } from './journal-sizes.ts';

/** Prepares the large journal, which all rounds share, since they add few notes compared with its size. */
async function prepareMany(profile: string, url: string): Promise<void> {
  const context = await openProfile(profile);
  await withPage(context, url, (page) => prepareJournal(page, manyStored));
  await context.close();
}

/** Compares the data layer with plain IndexedDB, in a real browser on a real disk. */
export function benchData(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('data: building the bench page');
    const server = await servePage(join(folder, 'page'));
    try {
      const profile = join(folder, 'profile');
      say('data: filling a journal of 10,000');
      await prepareMany(profile, server.url);
      return dataMeasurements(
        await inRounds('data', (index) => measureRound({ profile, url: server.url, index })),
      );
    } finally {
      await server.close();
    }
  });
}
