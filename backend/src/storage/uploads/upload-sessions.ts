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
 * A resumable upload.
 *
 * - It is stored at `storage/upload/<id>`; the id is a secret of the client that started it.
 * - `received` counts durable bytes. Further bytes of the part were never acknowledged and are truncated.
 * - A finished session is kept for a while, so that a client that lost the answer can query it.
 */
export interface UploadSession {
  readonly id: string;
  readonly name: string;
  /** The uid that started it, is charged for its bytes and alone may continue it; empty without a sign-in. */
  readonly owner: string;
  readonly settings: ObjectSettings;
  readonly md5Hash: string | null;
  readonly announcedSize: number | null;
  readonly received: number;
  readonly updatedMs: number;
  /** The generation of the resulting object; null while the upload is active. */
  readonly generation: number | null;
}

export interface UploadSessions {
  get(id: string): UploadSession | null;
  /** Replaces `before` by `after`; null stands for no session. */
  change(before: UploadSession | null, after: UploadSession | null): Promise<void>;
  all(): Iterable<UploadSession>;
}

const prefix = 'storage/upload/';

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
      const text = store.get(prefix + id);
      return text === undefined ? null : decode(id, text);
    },
    change: (before, after) => store.write(changeSession(before, after)),
    *all() {
      for (const [id, text] of entriesUnder(store, prefix)) yield decode(id, text);
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
    : [{ type: 'del', key: prefix + before.id } as const, ...chargeOf(before, -1)]),
  ...(after === null ? [] : [putOperation(after), ...chargeOf(after, 1)]),
];

const putOperation = ({ id, settings, ...rest }: UploadSession): StoreOperation => ({
  type: 'put',
  key: prefix + id,
  value: JSON.stringify({ ...rest, settings: settingsToRecord(settings) }),
});

/** Returns the charge for an active upload; a finished one is charged as an object. */
const chargeOf = ({ owner, received, generation }: UploadSession, sign: 1 | -1) =>
  generation === null ? chargeOperations(owner, { bytes: sign * received, uploads: sign }) : [];
