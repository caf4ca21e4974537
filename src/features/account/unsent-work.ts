import type { SyncOverview } from '../../data/queries.ts';
import { countText } from '../../lib/count-text.ts';

/** What would be lost with this device's copy. */
export interface UnsentCount {
  readonly changes: number;
  readonly otherVersions: number;
}

export function countUnsent(overview: SyncOverview): UnsentCount {
  const { waitingCount, parkedPets, parkedEntries, losers } = overview;
  const changes = waitingCount + parkedPets.length + parkedEntries.length;
  return { changes, otherVersions: losers.length };
}

export function hasUnsent({ changes, otherVersions }: UnsentCount): boolean {
  return changes > 0 || otherVersions > 0;
}

export function unsentText({ changes, otherVersions }: UnsentCount): string {
  const parts = [
    changes > 0 && `${countText(changes, 'change')} not sent yet`,
    otherVersions > 0 && `${countText(otherVersions, 'other version')} kept here`,
  ];
  return parts.filter((part) => part !== false).join(' and ');
}
