import type { RxCollection } from 'rxdb/plugins/core';
import type { EntryRow, PetRow } from '../../schemas/documents/document.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';

/** The collections of the owner's open database that reading and writing need; src/app passes them in. */
export interface Collections {
  readonly pets: RxCollection<PetRow>;
  readonly journal_entries: RxCollection<EntryRow>;
  readonly local: RxCollection<LocalRecordRow>;
}
