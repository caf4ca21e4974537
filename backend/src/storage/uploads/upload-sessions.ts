import * as v from 'valibot';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { chargeOperations } from '../usage.ts';
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
  /** Who started it, and is charged for what has arrived; empty for nobody. Only they continue it. */
  readonly owner: string;
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
  /** Replaces `before` by `after`; null is no session. */
  change(before: UploadSession | null, after: UploadSession | null): Promise<void>;
  all(): Iterable<UploadSession>;
}

const PREFIX = 'storage/upload/';

const SessionRecord = v.object({
  name: v.string(),
  owner: v.string(),
  settings: SettingsRecord,
  md5Hash: v.nullable(v.string()),
  announcedSize: v.nullable(v.number()),
  received: v.number(),
  updatedMs: v.number(),
  generation: v.nullable(v.number()),
});

export function createUploadSessions(store: KeyValueStore): UploadSessions {
  return {
    get(id) {
      const text = store.get(PREFIX + id);
      return text === undefined ? null : decode(id, text);
    },
    change: (before, after) => store.write(changeSession(before, after)),
    *all() {
      for (const [id, text] of entriesUnder(store, PREFIX)) yield decode(id, text);
    },
  };
}

const decode = (id: string, text: string): UploadSession => ({
  id,
  ...v.parse(SessionRecord, JSON.parse(text)),
});

export const changeSession = (
  before: UploadSession | null,
  after: UploadSession | null,
): readonly StoreOperation[] => [
  ...(before === null
    ? []
    : [{ type: 'del', key: PREFIX + before.id } as const, ...chargeOf(before, -1)]),
  ...(after === null ? [] : [putOperation(after), ...chargeOf(after, 1)]),
];

const putOperation = ({ id, settings, ...rest }: UploadSession): StoreOperation => ({
  type: 'put',
  key: PREFIX + id,
  value: JSON.stringify({ ...rest, settings: settingsToRecord(settings) }),
});

/** A finished upload is charged as an object. */
const chargeOf = ({ owner, received, generation }: UploadSession, sign: 1 | -1) =>
  generation === null ? chargeOperations(owner, { bytes: sign * received, uploads: sign }) : [];
