import { join } from 'node:path';
import {
  addPet,
  expectSynced,
  newEmail,
  register,
  waitForOfflineReady,
  writeNote,
} from '../../tests/e2e/owner.ts';
import { amount, type Amount, type Measurement } from '../measurement.ts';
import { startBackend } from '../run/backend-process.ts';
import { openProfile } from '../run/browser.ts';
import { inRounds } from '../run/rounds.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { buildApp } from '../sizes/app-build.ts';
import { audit, categories, debuggingArgs, debuggingPort, type Scores } from './audit.ts';

const categoryNames: Readonly<Record<(typeof categories)[number], string>> = {
  performance: 'performance',
  accessibility: 'accessibility',
  'best-practices': 'best practices',
};

interface AuditedPage {
  readonly id: string;
  readonly name: string;
  /** The scores of repeated audits in one browser. */
  readonly rounds: readonly Scores[];
}

function toAmounts({ id, name, rounds }: AuditedPage): Amount[] {
  return categories.map((category) =>
    amount(
      {
        id: `lighthouse-${id}-${category}`,
        name: `${name}: ${categoryNames[category]}`,
        unit: 'points',
      },
      rounds.map((scores) => scores[category]),
    ),
  );
}

/** Audits a first visit: each round starts with nothing on the device. */
async function auditFirstVisit(url: string, profile: string): Promise<AuditedPage> {
  const context = await openProfile(profile, { hasWorker: true, args: debuggingArgs });
  try {
    const port = await debuggingPort(profile);
    const rounds = await inRounds('lighthouse: first visit', () =>
      audit(`${url}/auth/login`, { port, keepsStorage: false }),
    );
    return { id: 'first', name: 'the first visit, at the sign-in', rounds };
  } finally {
    await context.close();
  }
}

/** Audits a return to a journal, with the app in the worker's cache. */
async function auditJournal(url: string, profile: string): Promise<AuditedPage> {
  const context = await openProfile(profile, {
    baseURL: url,
    hasWorker: true,
    args: debuggingArgs,
  });
  try {
    const page = await context.newPage();
    await register(page, newEmail());
    await addPet(page, 'Bramble');
    await writeNote(page, 'Long walk along the dyke.');
    await expectSynced(page);
    await waitForOfflineReady(page);
    const journalUrl = page.url();
    await page.close();
    const port = await debuggingPort(profile);
    const rounds = await inRounds('lighthouse: journal', () =>
      audit(journalUrl, { port, keepsStorage: true }),
    );
    return { id: 'journal', name: 'an owner back at a journal', rounds };
  } finally {
    await context.close();
  }
}

/** Audits the built app on a phone, as the embedded server serves it, compressed. */
export function benchLighthouse(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('lighthouse: building the app');
    const staticDir = join(folder, 'dist');
    await buildApp(staticDir);
    const backend = await startBackend({ dataDir: join(folder, 'data'), staticDir });
    try {
      const pages = [
        await auditFirstVisit(backend.url, join(folder, 'visitor')),
        await auditJournal(backend.url, join(folder, 'owner')),
      ];
      return pages.flatMap(toAmounts);
    } finally {
      await backend.stop();
    }
  });
}
