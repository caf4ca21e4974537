import { onRequest } from 'firebase-functions/https';
import { info } from 'firebase-functions/logger';
import { onSchedule } from 'firebase-functions/scheduler';
import { runWith } from 'firebase-functions/v1';
import { eraseAccount } from './account-cleanup/erase-account.ts';
import { cleanUpInRounds } from './file-cleanup/clean-up-in-rounds.ts';
import { openAdminCleanupRounds } from './firebase/admin-cleanup-rounds.ts';
import { openAdminFileCleanupPorts } from './firebase/admin-file-cleanup-ports.ts';
import { openAdminPorts } from './firebase/admin-ports.ts';
import { openAdminTranscriptionPorts } from './firebase/admin-transcription-ports.ts';
import { sendStandardResponse, toStandardRequest } from './firebase/express-adapter.ts';
import { googleToken } from './firebase/google-access.ts';
import { speechSecrets } from './firebase/speech-secrets.ts';
import { openListener } from './speech/open-listener.ts';
import { readSpeechSettings } from './speech/speech-settings.ts';
import { maxConcurrent, type TranscriptionPorts } from './transcription/ports.ts';
import { handleTranscription } from './transcription/http-handler.ts';

/** A failed or interrupted run is retried for days, and resumes where the last one stopped. */
const untilDone = { failurePolicy: true, timeoutSeconds: 540, memory: '256MB' } as const;

export const accountCleanup = runWith(untilDone)
  .auth.user()
  .onDelete(async ({ uid }) => {
    info('account erased', { uid, ...(await eraseAccount(openAdminPorts(), uid)) });
  });

/** A scheduled function may take 30 minutes. A failed run is not retried, since the next one follows within the hour. */
const hourly = { schedule: 'every 1 hours', timeoutSeconds: 1_800, memory: '512MiB' } as const;

export const fileCleanup = onSchedule(hourly, async () => {
  const counts = await cleanUpInRounds(openAdminFileCleanupPorts(), openAdminCleanupRounds());
  if (counts !== null) info('files cleaned up', { ...counts });
});

/** Origins of the native app; pages of the web use the rewrite of their own origin. */
const nativeOrigins = ['https://localhost', 'capacitor://localhost'];

/** The ports are opened by the first request, since a deployment loads this file without secrets. */
let ports: TranscriptionPorts | undefined;
const openPorts = () =>
  openAdminTranscriptionPorts(
    openListener(readSpeechSettings(process.env, 'google'), { googleToken }),
    process.env['PAWPALS_APP_CHECK'] === 'enforce',
  );

export const transcribe = onRequest(
  {
    cors: nativeOrigins,
    timeoutSeconds: 60,
    memory: '512MiB',
    // By default 80 requests would share an instance, and most would wait there instead of getting another one.
    concurrency: maxConcurrent,
    invoker: 'public',
    secrets: speechSecrets(process.env),
  },
  async (request, response) => {
    ports ??= openPorts();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await handleTranscription(ports, toStandardRequest(request, gone.signal));
    await sendStandardResponse(answer, response);
  },
);
