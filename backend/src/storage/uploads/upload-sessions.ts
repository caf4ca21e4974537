import { setImmediate as nextTurn } from 'node:timers/promises';
import * as v from 'valibot';
import { underPrefix, type KeyValueStore } from '../../store/key-value-store.ts';
import { SettingsRecord, settingsToRecord } from '../objects/object-settings.ts';
import { chargeOperations, replacing } from '../usage.ts';

const prefix = 'storage/upload/';
const pageLength = 100;

const SessionRecord = v.object({
  name: v.string(),
  /** The uid that started it, is charged for its bytes and alone may continue it; empty without a sign-in. */
  owner: v.string(),
  settings: SettingsRecord,
  md5Hash: v.nullable(v.string()),
  announcedSize: v.nullable(v.number()),
  received: v.number(),
  updatedMs: v.number(),
});

/**
 * A resumable upload.
 *
 * - It is stored at `storage/upload/<id>`; the id is a secret of the client that started it.
 * - `received` counts durable bytes. Further bytes of the part were never acknowledged and are truncated.
 * - It ends with the write that stores its object, whose file has the id of the upload.
 */
export interface UploadSession extends Readonly<v.InferOutput<typeof SessionRecord>> {
  readonly id: string;
}

export type UploadSessions = ReturnType<typeof createUploadSessions>;

export function createUploadSessions(store: KeyValueStore) {
  return {
    get(id: string): UploadSession | null {
      const text = store.get(prefix + id);
      return text === undefined ? null : decode(id, text);
    },
    /** Replaces `before` by `after`; null stands for no session. */
    change: (before: UploadSession | null, after: UploadSession | null) =>
      store.write(changeSession(before, after)),
    /** Yields all sessions, one page of which is in memory. The event loop turns after each page. */
    async *all(): AsyncGenerator<UploadSession, void> {
      let { start, end } = underPrefix(prefix);
      for (;;) {
        const page = [...store.range({ start, end, limit: pageLength })];
        for (const [key, text] of page) yield decode(key.toString('utf8', prefix.length), text);
        const last = page.at(-1)?.[0];
        if (last === undefined || page.length < pageLength) return;
        start = Buffer.concat([last, Buffer.from([0])]);
        await nextTurn();
      }
    },
  };
}

const decode = (id: string, text: string): UploadSession => ({
  id,
  ...v.parse(SessionRecord, JSON.parse(text)),
});

export const changeSession = replacing(({ id, settings, ...rest }: UploadSession) => [
  {
    type: 'put',
    key: prefix + id,
    value: JSON.stringify({ ...rest, settings: settingsToRecord(settings) }),
  },
  ...chargeOperations(rest.owner, { bytes: rest.received, uploads: 1 }),
]);
