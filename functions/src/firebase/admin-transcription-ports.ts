import type { App } from 'firebase-admin/app';
import { getAppCheck } from 'firebase-admin/app-check';
import { getAuth } from 'firebase-admin/auth';
import { getStorage, type Storage } from 'firebase-admin/storage';
import { info } from 'firebase-functions/logger';
import * as v from 'valibot';
import type { Listener } from '../speech/listener.ts';
import { createTaskQueue } from '../speech/task-queue.ts';
import { petFactsOf } from '../transcription/pet-facts.ts';
import { systemClock as clock } from '../transcription/system-clock.ts';
import { maxConcurrent, type AudioFiles, type TranscriptionPorts } from '../transcription/ports.ts';
import { openAdminApp, openAdminFirestore } from './admin-app.ts';
import { createFirestoreLimiter } from './firestore-limiter.ts';

type Bucket = ReturnType<Storage['bucket']>;

/** @param isEnforcing whether each request needs a token of App Check. */
export function openAdminTranscriptionPorts(
  listener: Listener | null,
  isEnforcing = false,
): TranscriptionPorts {
  const app = openAdminApp();
  const firestore = openAdminFirestore(app);
  return {
    verifyToken: (idToken) =>
      getAuth(app)
        .verifyIdToken(idToken)
        .then(({ uid }) => ({ uid }), nullIfRefused),
    ...(isEnforcing ? { isFromApp: (appToken) => isKnownToAppCheck(app, appToken) } : {}),
    readPet: async (petId) => {
      const document = await firestore.collection('pets').doc(petId).get();
      return petFactsOf(document.data());
    },
    files: createAdminAudioFiles(getStorage(app).bucket()),
    limiter: createFirestoreLimiter(firestore, () => clock.now()),
    inTurn: createTaskQueue(maxConcurrent),
    listener,
    clock,
    log: (event, fields) => info(event, fields),
  };
}

const authErrorSchema = v.object({ code: v.pipe(v.string(), v.startsWith('auth/')) });

/** Returns null for any refusal by Auth, and rethrows other errors. */
function nullIfRefused(error: unknown): null {
  if (v.is(authErrorSchema, error)) return null;
  throw error;
}

const appErrorSchema = v.object({ code: v.pipe(v.string(), v.startsWith('app-check/')) });

async function isKnownToAppCheck(app: App, appToken: string | null): Promise<boolean> {
  if (appToken === null) return false;
  try {
    await getAppCheck(app).verifyToken(appToken);
    return true;
  } catch (error) {
    if (v.is(appErrorSchema, error)) return false;
    throw error;
  }
}

function createAdminAudioFiles(bucket: Bucket): AudioFiles {
  return {
    size: (name) =>
      nullIfMissing(async () => {
        const [metadata] = await bucket.file(name).getMetadata();
        return Number(metadata.size);
      }),
    read: (name) =>
      nullIfMissing(async () => {
        const [bytes] = await bucket.file(name).download();
        return bytes;
      }),
  };
}

const missingSchema = v.object({ code: v.literal(404) });

async function nullIfMissing<Result>(work: () => Promise<Result>): Promise<Result | null> {
  try {
    return await work();
  } catch (error) {
    if (v.is(missingSchema, error)) return null;
    throw error;
  }
}
