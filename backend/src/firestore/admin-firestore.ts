import { ADMIN } from './caller.ts';
import type { Database } from './database.ts';
import { checkDocumentPath } from './resource-path.ts';
import { fieldsFromPlain, fieldsToPlain, type PlainData } from './plain-data.ts';
import type { Write } from './write.ts';

/** Writes of the embedding process: no policy is asked, everything else is as for a client. */
type AdminWrite = { readonly set: string; readonly data: PlainData } | { readonly delete: string };

export interface AdminFirestore {
  /** Atomic and durable, in batches of any size the caller chooses. */
  commit(writes: readonly AdminWrite[]): Promise<void>;
  get(path: string): PlainData | null;
}

export function createAdminFirestore(database: Database): AdminFirestore {
  return {
    async commit(writes) {
      await database.commit(ADMIN, writes.map(toWrite));
    },
    get(path) {
      const document = database.get(ADMIN, path);
      return document === null ? null : fieldsToPlain(document.fields);
    },
  };
}

function toWrite(write: AdminWrite): Write {
  if ('delete' in write) {
    return { kind: 'delete', path: checkDocumentPath(write.delete), precondition: null };
  }
  return {
    kind: 'set',
    path: checkDocumentPath(write.set),
    fields: fieldsFromPlain(write.data),
    mask: null,
    transforms: [],
    precondition: null,
  };
}
