import { markKey, markToText, textToMark } from '../../functions/src/file-cleanup/mark.ts';
import type {
  DocumentFields,
  FileHolders,
  MarkedFiles,
} from '../../functions/src/file-cleanup/ports.ts';
import { createManualClock } from '../../backend/tests/support/fakes/manual-clock.ts';
import { createVersionedFiles, type VersionedFiles } from '../support/fakes/versioned-files.ts';
import { describeFileCleanup } from './file-cleanup.ts';

type Documents = Map<string, DocumentFields>;

const createMemoryMarkedFiles = (files: VersionedFiles): MarkedFiles => ({
  list: async (query) => {
    const page = files.page(query);
    const listed = page.files.map(({ createdMs, metadata, ...file }) => ({
      ...file,
      uploadedAtMs: createdMs,
      unreferredSinceMs: textToMark(metadata[markKey]),
    }));
    return { files: listed, next: page.next };
  },
  mark: async (file, sinceMs) => files.patch(file, { [markKey]: markToText(sinceMs) }) === 'done',
  delete: async (file) => files.delete(file) === 'done',
});

const createMemoryHolders = (documents: Documents): FileHolders => ({
  readPets: async (petIds) =>
    new Map(
      petIds.flatMap((petId) => {
        const pet = documents.get(`pets/${petId}`);
        return pet === undefined ? [] : [[petId, pet]];
      }),
    ),
  async *findEntries(fileNames) {
    const wanted = new Set<unknown>(fileNames);
    const entries = [...documents].filter(([path]) => path.includes('/journalEntries/'));
    yield* entries.map(([, fields]) => fields).filter((entry) => wanted.has(entry['fileLocation']));
  },
});

describeFileCleanup('memory', async () => {
  const clock = createManualClock();
  const documents: Documents = new Map();
  const files = createVersionedFiles(() => clock.now());
  return {
    ports: {
      files: createMemoryMarkedFiles(files),
      holders: createMemoryHolders(documents),
      now: () => clock.now(),
      onFailure: () => undefined,
    },
    now: () => clock.now(),
    advance: (ms) => clock.advance(ms),
    put: async (put) => {
      for (const [path, data] of Object.entries(put)) documents.set(path, data);
    },
    upload: async (name, metadata = {}) => files.put(name, { metadata }),
    files: async () => files.metadata(),
    dispose: async () => {},
  };
});
