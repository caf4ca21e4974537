import type { RxCollection } from 'rxdb/plugins/core';
import type { Entry, Pet } from '../../schemas/documents/document.ts';
import type { LocalRecordRow } from '../../schemas/local/local-record.ts';

/** The collections of the owner's open database that reading and writing need; src/app passes them in. */
export interface Collections {
  readonly pets: RxCollection<Pet>;
  readonly journal_entries: RxCollection<Entry>;
  readonly local: RxCollection<LocalRecordRow>;
}
