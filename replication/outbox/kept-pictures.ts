import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { FileStores } from '../../store/file-stores.ts';
import type { OutboxQueue } from './outbox-queue.ts';

/** A picture of a dog that is not the one shown: its owner may restore it. */
export interface KeptPicture {
  readonly petId: string;
  /** Its hash, base64. */
  readonly md5: string;
}

/** The bytes of pictures that were kept as another version. They are never evicted; they go when no record names them. */
export interface KeptPictures {
  list(): Promise<readonly KeptPicture[]>;
  get(picture: KeptPicture): Promise<ArrayBuffer | null>;
  keep(picture: KeptPicture, bytes: ArrayBuffer): Promise<void>;
  /** Ends the job, and keeps its bytes, in one transaction. A job that changed meanwhile stays. */
  keepOf(job: OutboxJob): Promise<void>;
  remove(picture: KeptPicture): Promise<void>;
}

const prefix = 'kept-picture:';

/** A hash has always as many characters, and so the id of a dog may have any. */
function idOf({ petId, md5 }: KeptPicture): string {
  return `${prefix}${md5}:${petId}`;
}

function pictureOf(id: string): KeptPicture {
  const [md5 = '', ...petId] = id.slice(prefix.length).split(':');
  return { md5, petId: petId.join(':') };
}

/** They lie beside the bytes of jobs, under ids that no job has. */
export function createKeptPictures(
  database: Pick<FileStores, 'jobs' | 'bytes' | 'transaction'>,
  queue: Pick<OutboxQueue, 'readBytes' | 'remove'>,
): KeptPictures {
  const { jobs, bytes: allBytes } = database;
  const keep: KeptPictures['keep'] = async (picture, bytes) => {
    await allBytes.put({ id: idOf(picture), token: '', bytes });
  };
  return {
    list: async () =>
      (await allBytes.where('id').startsWith(prefix).primaryKeys()).map((id) => pictureOf(id)),
    get: async (picture) => (await allBytes.get(idOf(picture)))?.bytes ?? null,
    keep,
    keepOf: (job) =>
      database.transaction('rw', jobs, allBytes, async () => {
        const bytes = await queue.readBytes(job);
        if ((await queue.remove(job)) && bytes !== null) await keep(job, bytes);
      }),
    remove: (picture) => allBytes.delete(idOf(picture)),
  };
}
