import { isJsonObject, parseJson, type JsonObject } from '../../../src/json.ts';
import { createDatabaseNames } from '../../../src/firestore/values/resource-path.ts';
import type { Wire } from './wire.ts';

/** One stream of Firestore as the SDK opens it, of few bytes and little work. */
export interface WebChannel {
  send(...messages: readonly unknown[]): Promise<number>;
  /** The status of the request that ended it. */
  readonly ended: Promise<number>;
  close(): Promise<void>;
}

export interface WebChannelOptions {
  readonly wire: Wire;
  readonly name: 'Listen' | 'Write';
  readonly token: string;
  /** Sent with the handshake. */
  readonly messages: readonly unknown[];
  readonly onMessage: (message: JsonObject) => void;
}

export const channelPath = (name: 'Listen' | 'Write'): string =>
  `/google.firestore.v1.Firestore/${name}/channel`;

export function encodeForward(messages: readonly unknown[], offset: number, token = ''): string {
  const form = new URLSearchParams({ count: String(messages.length), ofs: String(offset) });
  if (token !== '') form.set('headers', `Authorization:Bearer ${token}\r\n`);
  for (const [at, each] of messages.entries()) {
    form.set(`req${at}___data__`, typeof each === 'string' ? each : JSON.stringify(each));
  }
  return form.toString();
}

/** Decodes frames that arrive in pieces of any size. @throws when the data is no frame. */
export function createFrameReader(onMessage: (id: number, payload: unknown) => void) {
  let text = '';
  return (piece: string): void => {
    text += piece;
    for (;;) {
      const end = text.indexOf('\n');
      if (end === -1) return;
      const length = Number(text.slice(0, end));
      if (!Number.isInteger(length)) throw new Error(`No frame: ${text.slice(0, 100)}`);
      if (text.length < end + 1 + length) return;
      const json = parseJson(text.slice(end + 1, end + 1 + length));
      if (!json.ok || !Array.isArray(json.value)) throw new Error('A frame is no list.');
      text = text.slice(end + 1 + length);
      for (const each of json.value as readonly unknown[]) {
        const [id, payload]: readonly unknown[] = Array.isArray(each) ? each : [];
        if (typeof id !== 'number') throw new Error('A message has no number.');
        onMessage(id, payload);
      }
    }
  };
}

/** Opens a stream; resolves to undefined when the server refuses. */
export async function openWebChannel(options: WebChannelOptions): Promise<WebChannel | undefined> {
  const { wire, name, token, messages, onMessage } = options;
  const path = channelPath(name);
  const post = (query: string, body: string) =>
    wire.ask({
      method: 'POST',
      path: `${path}?VER=8&${query}`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body,
    });
  const greeting = await post('RID=1', encodeForward(messages, 0, token));
  const sid = /\["c","([^"]+)"/.exec(greeting.bytes.toString())?.[1];
  if (sid === undefined) return undefined;

  const stop = new AbortController();
  let sent = messages.length;
  let requests = 1;
  let lastId = 0;

  const read = async (): Promise<number> => {
    for (;;) {
      const onText = createFrameReader((id, payload) => {
        if (id !== lastId + 1) throw new Error(`Message ${id} came after ${lastId}.`);
        lastId = id;
        const [message]: readonly unknown[] = Array.isArray(payload) ? payload : [];
        if (isJsonObject(message)) onMessage(message);
      });
      const query = `VER=8&RID=rpc&SID=${sid}&AID=${lastId}&TYPE=xmlhttp`;
      const status = await wire.stream({ path: `${path}?${query}`, onText, signal: stop.signal });
      if (status !== 200 || stop.signal.aborted) return status;
    }
  };

  return {
    ended: read(),
    async send(...more) {
      const offset = sent;
      sent += more.length;
      requests++;
      const { status } = await post(
        `RID=${requests}&SID=${sid}&AID=${lastId}`,
        encodeForward(more, offset),
      );
      return status;
    },
    async close() {
      stop.abort();
      await wire.ask({ method: 'POST', path: `${path}?SID=${sid}&TYPE=terminate` });
    },
  };
}

const databaseNames = createDatabaseNames('demo-pawpals');

/** A target that listens to one document. */
export const documentTargetOf = (targetId: number, path: string) => ({
  database: databaseNames.database,
  addTarget: { targetId, documents: { documents: [databaseNames.toName(path)] } },
});
