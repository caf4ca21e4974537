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
  /** Audited again and again in one browser. */
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

/** Somebody's first visit: nothing is on the device, and each round starts from there. */
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

/** An owner comes back to a journal; the worker has the app. */
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

/** What Lighthouse says of the built app on a phone, as the embedded server serves it: compressed. */
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
