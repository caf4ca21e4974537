import type { Log, RemoteDocuments } from '../ports.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { PagePace } from './pull/page-pace.ts';
import type { ServerClock } from './server-clock.ts';
import type { SyncRules } from './sync-rules.ts';

/** The dependencies of one run. The ports refuse every call once the run is aborted. */
export interface SyncContext {
  readonly store: DocumentStore;
  readonly remote: RemoteDocuments;
  readonly rules: SyncRules;
  readonly serverClock: ServerClock;
  readonly newId: () => string;
  readonly log: Log;
  /** This device's clock, uncorrected. */
  readonly deviceNow: () => number;
  readonly pullPace: PagePace;
  readonly pushPace: PagePace;
}
