import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend } from '../../backend/src/server.ts';
import {
  createEmbeddedTranscription,
  openEmbeddedListener,
} from '../../scripts/serve/embedded-transcription.ts';
import { deployedFiles } from '../support/built-app/deployed-files.ts';

export interface WalkServer {
  readonly url: string;
  dispose(): Promise<void>;
}

/** All that `npm start` serves, with an app of the test's own and no engine for the words of voice notes. */
export async function startServer(staticDir: string): Promise<WalkServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-engines-'));
  const transcription = createEmbeddedTranscription({
    listener: openEmbeddedListener({ PAWPALS_SPEECH_ENGINE: 'none' }, 'none'),
    log: () => undefined,
  });
  const { httpFunctions } = transcription;
  const backend = await createBackend({
    dataDir,
    staticDir,
    passwordCost: 1_024,
    httpFunctions,
    ...deployedFiles,
  });
  transcription.bind(backend);
  return {
    url: backend.url,
    dispose: async () => {
      await backend.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
