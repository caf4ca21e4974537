import * as v from 'valibot';
import { fileMaxBytes, noteTextMaxLength } from '../../../schemas/limits.ts';
import {
  petOfAudio,
  transcribeRequestSchema,
  type TranscribeRequest,
} from '../../../schemas/transcription.ts';
import { audioTypeOf } from '../speech/audio-type.ts';
import type { Listener } from '../speech/listener.ts';
import type { TranscriptionResult } from '../speech/speech-engine.ts';
import { refusal, textAnswer, type Answer } from './answer.ts';
import { firstLanguage, hintsFor } from './hints.ts';
import type { PetFacts, TranscriptionPorts } from './ports.ts';

export interface Question {
  /** The Authorization header. */
  readonly authorization: string | null;
  /** The X-Firebase-AppCheck header. */
  readonly appToken: string | null;
  readonly acceptLanguage: string | null;
  /** The text of the body. */
  readonly body: string;
  /** Aborted when the caller no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** The limit is below the 60 s that Firebase Hosting gives a function. */
const patienceMs = 50_000;

/**
 * Transcribes one voice note for its owner.
 *
 * - If App Check is enforced, a request without its token is refused before anything else is checked.
 * - A caller who may not read the file does not learn whether it exists.
 * - Permanent refusals come before transient ones: without an engine a missing file is still 404.
 * - Only requests that reach the engine count against the user's rate.
 * - It times out by itself, whatever the engine does.
 * - A burst of requests takes no more memory than {@link maxConcurrent} of them; the others wait. One user has one at a
 *   time, and users take turns.
 */
export async function transcribe(ports: TranscriptionPorts, question: Question): Promise<Answer> {
  if ((await ports.isFromApp?.(question.appToken)) === false) return refusal('unauthenticated');
  const idToken = /^Bearer +(\S+)$/i.exec(question.authorization ?? '')?.[1];
  const user = idToken === undefined ? null : await ports.verifyToken(idToken);
  if (user === null) return refusal('unauthenticated');
  const request = readRequest(question.body);
  const petId = request && petOfAudio(request.fileLocation);
  if (request === null || petId === null) return refusal('bad-request');
  const pet = await ports.readPet(petId);
  if (pet?.ownerId !== user.uid) return refusal('permission-denied');
  const size = await ports.files.size(request.fileLocation);
  if (size === null) return refusal('not-found');
  if (size > fileMaxBytes) return refusal('too-large');
  const { listener } = ports;
  if (listener === null) return refusal('no-engine');
  const waitMs = await ports.limiter.charge(user.uid);
  if (waitMs > 0) return refusal('too-many', waitMs / 1_000);
  return listen({ ...ports, listener }, { uid: user.uid, pet, request, question });
}

function readRequest(body: string): TranscribeRequest | null {
  try {
    const parsed = v.safeParse(transcribeRequestSchema, JSON.parse(body));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

interface Task {
  readonly uid: string;
  readonly pet: PetFacts;
  readonly request: TranscribeRequest;
  readonly question: Question;
}

async function listen(
  ports: TranscriptionPorts & { readonly listener: Listener },
  task: Task,
): Promise<Answer> {
  const { clock, listener, log, inTurn } = ports;
  const startMs = clock.now();
  const patience = new AbortController();
  const stopWaiting = clock.after(patienceMs, () => patience.abort());
  const signal = AbortSignal.any([patience.signal, task.question.signal]);
  try {
    return await inTurn({ key: task.uid, signal }, () => hear(ports, task, signal));
  } catch (error) {
    if (!signal.aborted) throw error;
    log('gave up', { engine: listener.name, tookMs: clock.now() - startMs });
    return refusal('timed-out');
  } finally {
    stopWaiting();
  }
}

async function hear(
  { files, listener, clock, log }: TranscriptionPorts & { readonly listener: Listener },
  { pet, request, question }: Task,
  signal: AbortSignal,
): Promise<Answer> {
  const startMs = clock.now();
  const bytes = await files.read(request.fileLocation);
  if (bytes === null) return refusal('not-found');
  const type = audioTypeOf(bytes);
  if (type === null) return refusal('not-audio');
  const language = [request.language ?? null, firstLanguage(question.acceptLanguage)];
  const heard = await listener.hear({ bytes, type }, hintsFor(pet, language), signal);
  const reason = 'reason' in heard ? { reason: heard.reason } : {};
  const tookMs = clock.now() - startMs;
  log('listened', { engine: listener.name, kind: heard.kind, tookMs, ...reason });
  return toAnswer(heard);
}

function toAnswer(heard: TranscriptionResult): Answer {
  switch (heard.kind) {
    case 'text':
      return textAnswer(heard.text.slice(0, noteTextMaxLength), heard.isRough);
    case 'unavailable':
      return refusal('engine-unavailable', heard.retryAfterS ?? null);
    case 'unknown-language':
      return refusal('no-engine');
    case 'refused':
      return refusal('not-audio');
    default:
      return refusal('too-large');
  }
}
