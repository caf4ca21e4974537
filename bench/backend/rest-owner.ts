import { newId } from '../../src/platform/new-id.ts';

/** An owner of one pet who writes notes over plain HTTP, in the form of the SDK's requests. */
export interface RestOwner {
  readonly uid: string;
  readonly idToken: string;
  readonly petId: string;
  /** Returns the seq of the last commit. */
  readonly head: () => number;
  /** Commits one more note and the head, as a push of one note does. */
  readonly commitNote: (more?: object) => Promise<void>;
}

const database = 'projects/demo-pawpals/databases/(default)';
const password = 'Walkies-4-all';
const noteText = 'Long walk along the dyke. She sat for the cyclists without being asked.';

/** Sends JSON to a path and gets JSON. @throws for any answer but 200. */
export type PostJson = (path: string, body: object, idToken?: string) => Promise<unknown>;

const postTo =
  (url: string): PostJson =>
  async (path, body, idToken) => {
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    if (idToken !== undefined) headers['authorization'] = `Bearer ${idToken}`;
    const response = await fetch(url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok)
      throw new Error(`The backend said ${response.status}: ${await response.text()}`);
    return response.json();
  };

interface SignedUp {
  readonly localId: string;
  readonly idToken: string;
}

function isSignedUp(value: unknown): value is SignedUp {
  return typeof value === 'object' && value !== null && 'localId' in value && 'idToken' in value;
}

export async function signUp(post: PostJson): Promise<SignedUp> {
  const credentials = { email: `${newId()}@example.com`, password, returnSecureToken: true };
  const answer = await post(
    '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=embedded',
    credentials,
  );
  if (!isSignedUp(answer)) throw new Error('The backend signed nobody up');
  return answer;
}

const text = (value: string) => ({ stringValue: value });
const integer = (value: number) => ({ integerValue: String(value) });
const no = { booleanValue: false };

export async function createRestOwner(url: string, post = postTo(url)): Promise<RestOwner> {
  const { localId: uid, idToken } = await signUp(post);
  const petId = newId();
  let seq = 0;

  const commit = async (path: string, fields: object): Promise<void> => {
    seq += 1;
    const set = (name: string, values: object) => ({
      update: { name: `${database}/documents/${name}`, fields: values },
    });
    const synced = { seq: integer(seq), deleted: no, edits: { mapValue: { fields: {} } } };
    const head = set(`sync/${uid}`, { head: integer(seq), epoch: text('bench') });
    const stamped = {
      ...set(path, { ...fields, ...synced }),
      updateTransforms: [{ fieldPath: 'updatedAt', setToServerValue: 'REQUEST_TIME' }],
    };
    const writes = [stamped, head];
    await post(`/v1/${database}/documents:commit`, { writes }, idToken);
  };

  await commit(`pets/${petId}`, { ownerId: text(uid), name: text('Bramble') });
  return {
    uid,
    idToken,
    petId,
    head: () => seq,
    commitNote: (more = {}) => {
      const createdDate = { timestampValue: new Date().toISOString() };
      const content = { createdDate, type: text('note'), text: text(noteText) };
      return commit(`pets/${petId}/journalEntries/${newId()}`, {
        createdBy: text(uid),
        ...content,
        ...more,
      });
    },
  };
}
