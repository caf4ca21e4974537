import type { Storage } from 'firebase-admin/storage';
import type { CleanupFiles } from '../account-cleanup/ports.ts';

type Bucket = ReturnType<Storage['bucket']>;

/** One request deletes one file; more concurrent requests are no faster. */
const parallelDeletes = 20;

/** Accesses hosted Storage by firebase-admin, which retries transient failures. */
export function createAdminFiles(bucket: Bucket): CleanupFiles {
  return {
    async find(prefix, limit) {
      const [files] = await bucket.getFiles({ prefix, maxResults: limit });
      return files.map(({ name }) => name);
    },
    async delete(names) {
      for (let at = 0; at < names.length; at += parallelDeletes) {
        const some = names.slice(at, at + parallelDeletes);
        await Promise.all(some.map((name) => bucket.file(name).delete({ ignoreNotFound: true })));
      }
    },
  };
}
