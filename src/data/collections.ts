import type { RxCollection } from 'rxdb/plugins/core';
import type { EntryRow, PetRow } from '../../schemas/documents/document.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';

/** What reading and writing need of the owner's open database; src/app passes it in. */
export interface Collections {
  readonly pets: RxCollection<PetRow>;
  readonly journal_entries: RxCollection<EntryRow>;
  readonly local: RxCollection<LocalRecordRow>;
}
