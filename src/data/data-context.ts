import type { QueryClient } from '@tanstack/react-query';
import type { Organization } from '../../schemas/documents/organization.ts';
import type { LazyService } from '../lib/async/lazy-service.ts';
import { createRequiredContext } from '../lib/react/required-context.ts';
import type { Commands } from './commands/commands.ts';
import type { Files } from './files/files.ts';
import type { Queries } from './queries/queries.ts';
import type { JournalSearch } from './queries/search.ts';
import type { Transfers } from './transfer/transfers.ts';

/** The cache of answers that only the server has, kept by React Query for this session. */
export interface ServerAnswers {
  readonly client: QueryClient;
}

/** The open database of the signed-in owner. */
export interface Data {
  readonly uid: string;
  /**
   * The key of what pages remember until the owner leaves. It stays the same object when the database of a page that was
   * frozen is opened again.
   */
  readonly visit: object;
  /** Epoch milliseconds of this device's clock, corrected by the server's. It dates new documents. */
  readonly correctedNow: () => number;
  /** Loads the commands on their first use. Returns the same promise until that fails. */
  readonly commands: () => Promise<Commands>;
  readonly queries: Queries;
  /** Opens the cache of the session on its first use. Returns the same promise until that fails. */
  readonly answers: () => Promise<ServerAnswers>;
  /** Asks the server, and fails without a connection. `answers` caches the result. */
  readonly organizations: () => Promise<readonly Organization[]>;
  readonly files: LazyService<Files>;
  /** Loads the files of the session that is open for this visit now, for what outlives a session, such as a toast. */
  readonly newestFiles: () => Promise<Files>;
  /** Loads export and import on their first use. */
  readonly transfers: () => Promise<Transfers>;
  /** Opens the search of the session on its first use. */
  readonly search: () => Promise<JournalSearch>;
}

export const {
  Provider: DataProvider,
  useValue: useData,
  useOptionalValue: useOptionalData,
} = createRequiredContext<Data>('Data');
