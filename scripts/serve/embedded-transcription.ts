import type { AdminFirestore } from '../../backend/src/firestore/admin-firestore.ts';
import { transcribeBasePath, transcribePath } from '../../schemas/transcription.ts';
import type { Listener } from '../../functions/src/speech/listener.ts';
import { openListener } from '../../functions/src/speech/open-listener.ts';
import { readSpeechSettings } from '../../functions/src/speech/speech-settings.ts';
import { createTaskQueue } from '../../functions/src/speech/task-queue.ts';
import { handleTranscription } from '../../functions/src/transcription/http-handler.ts';
import { createMemoryLimiter } from '../../functions/src/transcription/memory-limiter.ts';
import { petFactsOf } from '../../functions/src/transcription/pet-facts.ts';
import { systemClock } from '../../functions/src/transcription/system-clock.ts';
import type { LocalSpeech } from './local-speech.ts';
import {
  maxConcurrent,
  type Clock,
  type TranscriptionLog,
  type TranscriptionPorts,
} from '../../functions/src/transcription/ports.ts';

/** The part of the embedded backend that transcription needs. */
export interface TranscriptionHost {
  readonly firestore: Pick<AdminFirestore, 'get'>;
  readonly storage: {
    get(name: string): { readonly size: number } | null;
    read(name: string): Promise<Uint8Array | null>;
  };
  readonly accounts: { verifyIdToken(idToken: string): Promise<{ uid: string } | null> };
}

export interface EmbeddedTranscription {
  /** The backend's `httpFunctions`, which are needed before the backend exists. */
  readonly httpFunctions: Readonly<Record<string, (request: Request) => Promise<Response>>>;
  /** Connects the backend; before that, requests are refused as busy. */
  bind(host: TranscriptionHost): void;
}

export interface EmbeddedTranscriptionDeps {
  readonly listener: Listener | null;
  readonly clock?: Clock;
  readonly log?: TranscriptionLog;
}

/** Creates the deployed function for the embedded backend. */
export function createEmbeddedTranscription(
  deps: EmbeddedTranscriptionDeps,
): EmbeddedTranscription {
  let ports: TranscriptionPorts | null = null;
  const answer = async (request: Request) =>
    ports === null ? new Response(null, { status: 503 }) : handleTranscription(ports, request);
  return {
    // It answers at its own base path, like the deployed function, and at the path that hosting rewrites to it.
    httpFunctions: { [`POST ${transcribeBasePath}`]: answer, [transcribePath]: answer },
    bind(host) {
      ports = createEmbeddedTranscriptionPorts(host, deps);
    },
  };
}

export function createEmbeddedTranscriptionPorts(
  { firestore, storage, accounts }: TranscriptionHost,
  { listener, clock = systemClock, log = () => undefined }: EmbeddedTranscriptionDeps,
): TranscriptionPorts {
  return {
    verifyToken: (idToken) => accounts.verifyIdToken(idToken),
    readPet: async (petId) => petFactsOf(firestore.get(`pets/${petId}`)),
    files: {
      size: async (name) => storage.get(name)?.size ?? null,
      read: (name) => storage.read(name),
    },
    limiter: createMemoryLimiter(() => clock.now()),
    inTurn: createTaskQueue(maxConcurrent),
    listener,
    clock,
    log,
  };
}

/**
 * Opens the engine that the environment names, otherwise the one that this machine has. Google's engine uses the
 * credentials that Google's tools find on this machine. @throws {SpeechSettingsError}
 */
export const openEmbeddedListener = (
  env: NodeJS.ProcessEnv,
  found: LocalSpeech['engine'],
): Listener | null =>
  openListener(readSpeechSettings(env, found), {
    googleToken: async () => {
      // Loading firebase-admin takes a second, and nothing else here needs it.
      const access = await import('../../functions/src/firebase/google-access.ts');
      return access.googleToken();
    },
  });
