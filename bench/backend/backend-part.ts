import { join } from 'node:path';
import type { Amount, Measurement } from '../measurement.ts';
import { startBackend } from '../run/backend-process.ts';
import { openProfile, withPage } from '../run/browser.ts';
import { servePage } from '../run/page-server.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { measureCommitRates } from './commit-rates.ts';
import { measurePullPages } from './pull-pages.ts';

const liveCommits = 50;

async function measureLatencies(folder: string, url: string): Promise<readonly number[]> {
  const server = await servePage(join(folder, 'page'));
  const context = await openProfile(join(folder, 'profile'));
  try {
    return await withPage(context, `${server.url}live.html`, (page) =>
      page.evaluate((request) => window.live.latencies(request), { url, commits: liveCommits }),
    );
  } finally {
    await context.close();
    await server.close();
  }
}

function speed(described: Pick<Amount, 'id' | 'name' | 'unit'>, rounds: readonly number[]): Amount {
  return { kind: 'amount', ...described, rounds };
}

/** The embedded backend as a process of its own, on a real disk, spoken to as devices do. */
export function benchBackend(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    const backend = await startBackend({ dataDir: join(folder, 'data') });
    const { url } = backend;
    try {
      say('backend: commits');
      const { sequential, parallel } = await measureCommitRates(url);
      say('backend: live latency');
      const latencies = await measureLatencies(folder, url);
      say('backend: pages of a pull');
      const { pageMs, commitMs } = await measurePullPages(url);
      return [
        speed(
          { id: 'commits', name: 'commits of one note, one after another', unit: 'commits/s' },
          sequential,
        ),
        speed(
          { id: 'commits-parallel', name: 'the same by 50 owners at once', unit: 'commits/s' },
          parallel,
        ),
        speed(
          { id: 'live', name: "a commit until another device's listener is called", unit: 'ms' },
          latencies,
        ),
        speed({ id: 'commit-100', name: 'a commit of 100 entries', unit: 'ms' }, commitMs),
        speed({ id: 'pull-page', name: 'a page of 500 of a pull of 10,000', unit: 'ms' }, pageMs),
      ];
    } finally {
      await backend.stop();
    }
  });
}
