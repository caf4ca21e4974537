import type { Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { PagePace } from './pull/page-pace.ts';
import type { ServerClock } from './server-clock.ts';
import type { SyncRules } from './sync-rules.ts';

/** What one run works with. The ports refuse every call once the run was aborted. */
export interface SyncContext {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
  readonly rules: SyncRules;
  readonly serverClock: ServerClock;
  readonly newId: () => string;
  readonly log: Log;
  /** This device's own clock, for what is shown to its owner. */
  readonly deviceNow: () => number;
  readonly pullPace: PagePace;
  readonly pushPace: PagePace;
}
