import { randomBytes } from 'node:crypto';
import { FirebaseError } from 'firebase/app';
import type { FirebaseConfig } from '../../replication/firebase/firebase-config.ts';
import { RemoteError, type DocumentRef } from '../../replication/ports.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { checkServedApp } from './served-app.ts';
import { namesOf, waitForErasure } from './erasure.ts';
import { check, SmokeError } from './smoke-error.ts';
import { openSession, type Account, type SmokeSession } from './smoke-session.ts';

export interface SmokeOptions {
  readonly config: FirebaseConfig;
  /** Where the app is served, as `https://pawpals.example`. */
  readonly origin: string;
  /** The folder of the build that is served there. */
  readonly dist: string;
  readonly say: (line: string) => void;
  /** Whether the function refuses what has no token of App Check, as this test, which has no page to get one. */
  readonly isAppCheckEnforced: boolean;
  /** The time limit for erasing a deleted account; the first start of the function takes longest. */
  readonly erasureLimitMs?: number;
}

const signal = new AbortController().signal;
const defaultErasureLimitMs = 180_000;

const newId = (): string => randomBytes(10).toString('hex');

/**
 * Creates a throwaway account. The password has symbols that Firebase accepts as such; no mail is sent to the address.
 */
const newAccount = (): Account => ({
  email: `smoke-${newId()}@example.com`,
  password: `Walkies4!${newId()}`,
});

/** Commits one document like sync: with the next seq of the owner's head. */
const push = (session: SmokeSession, ref: DocumentRef, fields: Fields): Promise<void> =>
  session.documents.transact([ref], ({ head }) => {
    const seq = (head?.head ?? 0) + 1;
    const write = { ...ref, ownerId: session.uid, fields, edits: {}, deleted: false, seq };
    return {
      head: { head: seq, epoch: head?.epoch ?? newId() },
      writes: [write],
      result: undefined,
    };
  });

/** A picture of one white pixel; the server checks its type and size only. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==',
  'base64',
);

/** Checks for a refusal by the function itself; a page from hosting has no such code. */
async function checkTranscription(
  { transcriber }: SmokeSession,
  petId: string,
  expected: string,
): Promise<void> {
  const missing = `pets/${petId}/audios/voice-note-1.webm`;
  const code = await transcriber.transcribe(missing, signal).then(
    () => 'none',
    (error: unknown) => (error instanceof RemoteError ? error.code : String(error)),
  );
  check(
    code === expected,
    `The function transcribe answers ${code} to a question about a missing file.`,
  );
}

async function checkClosed(options: SmokeOptions, account: Account): Promise<void> {
  try {
    const session = await openSession({ ...options, account, isNew: false });
    await session.close();
  } catch (error) {
    if (error instanceof FirebaseError && error.code.startsWith('auth/')) return;
    throw error;
  }
  throw new SmokeError('The deleted account can still sign in.');
}

async function walk(options: SmokeOptions, account: Account, first: SmokeSession): Promise<void> {
  const { say, erasureLimitMs = defaultErasureLimitMs } = options;
  const petId = newId();
  const pet = { collection: 'pets', id: petId, petId: null } as const;
  const note = { collection: 'entries', id: newId(), petId } as const;
  await push(first, pet, { name: 'Smoke' });
  await push(first, note, { createdDate: Date.now(), type: 'note', text: 'Ducks' });
  say('A dog and a note were stored.');

  const answers: Response[] = [];
  const onFile = (answer: Response): void => void answers.push(answer);
  const second = await openSession({ ...options, account, isNew: false, onFile });
  try {
    const seen = await namesOf(second.documents);
    check(seen.join() === 'Smoke,Ducks', `The second session sees ${JSON.stringify(seen)}.`);
    say('A second session sees both.');

    const objectName = `pets/${petId}/images/profile.png`;
    const bytes = Uint8Array.from(picture).buffer;
    await first.files.upload(
      { objectName, contentType: 'image/png', bytes, replaces: null },
      signal,
    );
    const shown = await second.files.download(objectName, signal);
    check(shown?.byteLength === picture.byteLength, 'The second session does not get the picture.');
    const isReadable = answers.every(
      ({ url, headers }) =>
        new URL(url).origin === options.origin || headers.has('access-control-allow-origin'),
    );
    check(isReadable, 'Pages may not read the bucket: its CORS settings are missing.');
    say('A picture was stored, and the second session has it.');

    const refusal = options.isAppCheckEnforced ? 'unauthenticated' : 'words-not-found';
    await checkTranscription(second, petId, refusal);
    say('The function transcribe answers.');

    await first.deleteAccount();
    await waitForErasure(second, { objectName, limitMs: erasureLimitMs, lookMs: 500 });
    await checkClosed(options, account);
    say('The account was deleted, and nothing is left of it.');
  } finally {
    await second.close();
  }
}

/**
 * Tests a served app as two devices of a new owner, and deletes the account afterwards.
 * @throws {SmokeError} {FirebaseError} {RemoteError} at the first failed check.
 */
export async function smokeTest(options: SmokeOptions): Promise<void> {
  const { origin, dist, say } = options;
  await checkServedApp(origin, dist);
  say(`${origin} serves the build.`);
  const account = newAccount();
  const first = await openSession({ ...options, account, isNew: true });
  say(`${account.email} has signed up.`);
  try {
    await walk(options, account, first);
  } catch (error) {
    // The original error is reported; the log above names an account that could not be deleted.
    await first.deleteAccount().catch(() => undefined);
    throw error;
  } finally {
    await first.close();
  }
}
