import { QueryDocumentSnapshot, type Firestore } from 'firebase-admin/firestore';
import { getStorage, type Storage } from 'firebase-admin/storage';
import { error as logError } from 'firebase-functions/logger';
import * as v from 'valibot';
import { markKey, markToText, textToMark } from '../file-cleanup/mark.ts';
import type {
  FileCleanupPorts,
  FileHolders,
  FilePageQuery,
  MarkedFiles,
  StoredFile,
} from '../file-cleanup/ports.ts';
import { openAdminApp, openAdminFirestore } from './admin-app.ts';

type Bucket = ReturnType<Storage['bucket']>;

/** Accesses hosted Firebase by firebase-admin, which retries transient failures. */
export function openAdminFileCleanupPorts(): FileCleanupPorts {
  const app = openAdminApp();
  return {
    files: createAdminMarkedFiles(getStorage(app).bucket()),
    holders: createAdminFileHolders(openAdminFirestore(app)),
    now: () => Date.now(),
    onFailure: (fileName, error) =>
      logError('file not cleaned up', { fileName, reason: String(error) }),
  };
}

function createAdminMarkedFiles(bucket: Bucket): MarkedFiles {
  return {
    async list({ prefix, limit, after }) {
      let pageToken: string | null = null;
      do {
        const page: StoragePage = await listStorage(bucket, { prefix, limit, after, pageToken });
        ({ pageToken } = page);
        const files = page.files.filter(({ name }) => name !== after);
        const last = files.at(-1);
        if (last !== undefined) return { files, next: pageToken === null ? null : last.name };
        // A page may be empty without being the last.
      } while (pageToken !== null);
      return { files: [], next: null };
    },
    mark: (file, sinceMs) =>
      falseIfChanged(() =>
        bucket
          .file(file.name)
          .setMetadata({ metadata: { [markKey]: markToText(sinceMs) } }, asListed(file)),
      ),
    delete: (file) => falseIfChanged(() => bucket.file(file.name).delete(asListed(file))),
  };
}

interface StoragePage {
  readonly files: readonly StoredFile[];
  readonly pageToken: string | null;
}

/** The page begins with the file `after`. Storage does not say for how long it accepts a token, so none is stored. */
async function listStorage(
  bucket: Bucket,
  { prefix, limit, after, pageToken }: FilePageQuery & Pick<StoragePage, 'pageToken'>,
): Promise<StoragePage> {
  const [files, next] = await bucket.getFiles({
    prefix,
    maxResults: limit,
    autoPaginate: false,
    ...(after === null ? {} : { startOffset: after }),
    ...(pageToken === null ? {} : { pageToken }),
  });
  // The types always declare a next page; after the last one there is none.
  const { pageToken: nextToken = null } = next ?? {};
  return { files: files.map(({ metadata }) => toStoredFile(metadata)), pageToken: nextToken };
}

const objectSchema = v.object({
  name: v.string(),
  generation: v.union([v.string(), v.number()]),
  metageneration: v.union([v.string(), v.number()]),
  timeCreated: v.string(),
  metadata: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** @param object an object of Storage's JSON API. */
function toStoredFile(object: unknown): StoredFile {
  const { timeCreated, metadata, ...version } = v.parse(objectSchema, object);
  return {
    ...version,
    uploadedAtMs: Date.parse(timeCreated),
    unreferredSinceMs: textToMark(metadata[markKey]),
  };
}

/** The conditions make the request idempotent, so the SDK repeats it after a lost answer. */
const asListed = ({ generation, metageneration }: StoredFile) => ({
  ifGenerationMatch: generation,
  ifMetagenerationMatch: metageneration,
});

/** The file is missing, or the conditions fail. */
const changedSchema = v.object({ code: v.picklist([404, 412]) });

async function falseIfChanged(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (v.is(changedSchema, error)) return false;
    throw error;
  }
}

/** Reads whole documents: fewer fields cost as much, and a forgotten field would delete files in use. */
function createAdminFileHolders(firestore: Firestore): FileHolders {
  return {
    async readPets(petIds) {
      const pets = await firestore.getAll(
        ...petIds.map((petId) => firestore.collection('pets').doc(petId)),
      );
      return new Map(pets.flatMap((pet) => (pet.exists ? [[pet.id, pet.data() ?? {}]] : [])));
    },
    async *findEntries(fileNames) {
      const entries: AsyncIterable<unknown> = firestore
        .collectionGroup('journalEntries')
        .where('fileLocation', 'in', fileNames)
        .stream();
      for await (const entry of entries) {
        // The types of the stream say text.
        if (!(entry instanceof QueryDocumentSnapshot)) throw new Error('a query yields documents');
        yield entry.data();
      }
    },
  };
}
