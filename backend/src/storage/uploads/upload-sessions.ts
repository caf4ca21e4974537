import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import type { FileStore } from '../file-store.ts';
import {
  SettingsRecord,
  settingsToRecord,
  type ObjectSettings,
} from '../objects/object-settings.ts';

/**
 * - `storage/upload/<id>` holds an upload in pieces; its id is a secret of the one who started it.
 * - `received` counts bytes that are on the disk. What the part holds beyond them was never promised and is cut off.
 * - A session that was finished stays for a while, so that a client whose answer was lost can ask.
 */
export interface UploadSession {
  readonly id: string;
  readonly name: string;
  /** Who started it; null for nobody. Only they continue it. */
  readonly uid: string | null;
  readonly settings: ObjectSettings;
  readonly md5Hash: string | null;
  readonly announcedSize: number | null;
  readonly received: number;
  readonly updatedMs: number;
  /** The object that was made of it; null while it is active. */
  readonly generation: number | null;
}

export interface UploadSessions {
  get(id: string): UploadSession | null;
  put(session: UploadSession): Promise<void>;
  remove(id: string): Promise<void>;
  /** For a write that has more in it: call `remember` once it is durable. */
  putOperation(session: UploadSession): StoreOperation;
  remember(session: UploadSession): void;
  values(): Iterable<UploadSession>;
}

const PREFIX = 'storage/upload/';

const SessionRecord = v.object({
  name: v.string(),
  uid: v.nullable(v.string()),
  settings: SettingsRecord,
  md5Hash: v.nullable(v.string()),
  announcedSize: v.nullable(v.number()),
  received: v.number(),
  updatedMs: v.number(),
  generation: v.nullable(v.number()),
});

export interface UploadSessionsDeps {
  readonly store: KeyValueStore;
  readonly files: FileStore;
}

export async function loadUploadSessions(deps: UploadSessionsDeps): Promise<UploadSessions> {
  const { store } = deps;
  const sessions = new Map<string, UploadSession>();
  const putOperation = ({ id, settings, ...rest }: UploadSession): StoreOperation => ({
    type: 'put',
    key: PREFIX + id,
    value: JSON.stringify({ ...rest, settings: settingsToRecord(settings) }),
  });
  const remove = async (id: string) => {
    await store.write([{ type: 'del', key: PREFIX + id }]);
    sessions.delete(id);
  };

  for await (const [key, text] of store.entries(PREFIX)) {
    const id = key.slice(PREFIX.length);
    sessions.set(id, { id, ...v.parse(SessionRecord, JSON.parse(text)) });
  }
  for (const session of sessions.values()) {
    if (!(await isWhole(session, deps))) await remove(session.id);
  }

  return {
    get: (id) => sessions.get(id) ?? null,
    async put(session) {
      await store.write([putOperation(session)]);
      sessions.set(session.id, session);
    },
    remove,
    putOperation,
    remember: (session) => void sessions.set(session.id, session),
    values: () => sessions.values(),
  };
}

/**
 * Whether everything that was received is still there. A crash while finishing can leave the part under the name of a
 * file, with no record of it: then it is a part again.
 */
async function isWhole(session: UploadSession, { files }: UploadSessionsDeps): Promise<boolean> {
  const { id, received, generation } = session;
  if (generation !== null || received === 0) return true;
  if ((await files.partSize(id)) === null) await files.withdraw(id);
  return ((await files.partSize(id)) ?? 0) >= received;
}
