import { join } from 'node:path';
import { fewStored, manyStored, noneStored } from '../data/journal-sizes.ts';
import type { Measurement } from '../measurement.ts';
import { rivalNames, type Journal } from '../page/rivals/rivals-page.ts';
import { openProfile } from '../run/browser.ts';
import { servePage } from '../run/page-server.ts';
import { say } from '../run/progress.ts';
import { inRounds } from '../run/rounds.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { compareCode } from './code-sizes.ts';
import { withJournal } from './journals.ts';
import { rivalsMeasurements } from './rivals-measurements.ts';
import { loadJournal, measureRivalsRound, onPage, type KeptJournals } from './rivals-round.ts';

/** Prepares the same journals for all three in one profile, with the sizes that each round expects. */
async function prepare(profile: string, pageUrl: string, kept: KeptJournals): Promise<void> {
  const context = await openProfile(profile);
  for (const journal of Object.values<Journal>(kept)) {
    await onPage(context, pageUrl, async (page) => {
      for (const rival of rivalNames) await loadJournal(page, rival, journal);
    });
  }
  await context.close();
}

async function measureRounds(
  folder: string,
  pageUrl: string,
  journals: { readonly kept: KeptJournals; readonly whole: Journal },
): Promise<Measurement[]> {
  const profile = join(folder, 'profile');
  say('rivals: loading the journals');
  await prepare(profile, pageUrl, journals.kept);
  return rivalsMeasurements(
    await inRounds('rivals', (index) =>
      measureRivalsRound({ ...journals, pageUrl, profile, index }),
    ),
  );
}

/** Compares the data layer with its alternatives, on the same server and with the same work. */
export function benchRivals(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('rivals: building');
    const code = await compareCode(join(folder, 'code'));
    const server = await servePage(join(folder, 'page'));
    const pageUrl = `${server.url}rivals.html`;
    try {
      const measured = await withJournal(folder, { name: 'none', count: noneStored }, (none) =>
        withJournal(folder, { name: 'few', count: fewStored }, (few) =>
          withJournal(folder, { name: 'many', count: manyStored }, (many) =>
            withJournal(folder, { name: 'whole', count: manyStored }, (whole) =>
              measureRounds(folder, pageUrl, { kept: { none, few, many }, whole }),
            ),
          ),
        ),
      );
      return [...measured, ...code];
    } finally {
      await server.close();
    }
  });
}
