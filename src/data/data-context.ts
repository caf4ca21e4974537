import type { Organization } from '../../schemas/organization.ts';
import { createRequiredContext } from '../lib/required-context.ts';
import type { Commands } from './commands.ts';
import type { Queries } from './queries.ts';

/** The open database of the signed-in owner. */
export interface Data {
  readonly uid: string;
  readonly commands: Commands;
  readonly queries: Queries;
  /** Asks the server; fails without a connection. */
  readonly organizations: () => Promise<readonly Organization[]>;
}

export const {
  Provider: DataProvider,
  useValue: useData,
  useOptionalValue: useOptionalData,
} = createRequiredContext<Data>('Data');
