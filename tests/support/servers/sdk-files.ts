import {
  connectStorageEmulator,
  deleteObject,
  getBytes,
  getMetadata,
  getStorage,
  list,
  ref,
  updateMetadata,
  uploadBytes,
} from 'firebase/storage';
import { outcomeOf, type Outcome, type Person } from '../setups/rules-setup.ts';

type Custom = Readonly<Record<string, string>>;

/** The files of the backend as one user's SDK accesses them. */
export interface Files {
  upload(path: string, contentType: string, sizeBytes?: number): Promise<Outcome>;
  /** Uploads three bytes with custom metadata. */
  uploadWith(path: string, contentType: string, custom: Custom): Promise<Outcome>;
  /** Changes the metadata of a file, not its content. */
  describe(path: string, contentType: string, custom?: Custom): Promise<Outcome>;
  read(path: string): Promise<Outcome>;
  remove(path: string): Promise<Outcome>;
  list(path: string): Promise<Outcome>;
}

export function createFiles({ firestore }: Person, port: number): Files {
  const storage = getStorage(firestore.app, 'gs://demo-pawpals.appspot.com');
  connectStorageEmulator(storage, '127.0.0.1', port);
  const file = (path: string) => ref(storage, path);
  return {
    upload: (path, contentType, sizeBytes = 3) =>
      outcomeOf(uploadBytes(file(path), new Uint8Array(sizeBytes), { contentType })),
    uploadWith: (path, contentType, customMetadata) =>
      outcomeOf(uploadBytes(file(path), new Uint8Array(3), { contentType, customMetadata })),
    describe: (path, contentType, customMetadata = {}) =>
      outcomeOf(updateMetadata(file(path), { contentType, customMetadata })),
    read: async (path) => {
      const [told, bytes] = await Promise.all([
        outcomeOf(getMetadata(file(path))),
        outcomeOf(getBytes(file(path))),
      ]);
      if (told !== bytes) throw new Error('metadata and contents have one rule');
      return told;
    },
    remove: (path) => outcomeOf(deleteObject(file(path))),
    list: (path) => outcomeOf(list(file(path))),
  };
}
