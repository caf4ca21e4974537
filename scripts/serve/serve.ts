import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { chooserCodeLine, newChooserCode } from '../../backend/src/http/chooser/chooser-code.ts';
import { describeError, processLog } from '../../backend/src/log.ts';
import { createBackend, type Backend } from '../../backend/src/server.ts';
import { SpeechSettingsError } from '../../functions/src/speech/speech-settings.ts';
import {
  CertificateError,
  readCertificate,
  watchCertificate,
  type Certificate,
  type CertificateFiles,
} from './certificate.ts';
import { admitDemoOwner, demoOwner, seedDemoOwner } from '../demo-owner/demo-owner.ts';
import { mountFunctions } from './embedded-functions.ts';
import { createEmbeddedTranscription, openEmbeddedListener } from './embedded-transcription.ts';
import { findLocalSpeech } from './local-speech.ts';
import { renewEpochs } from './renew-epochs.ts';
import { readServeOptions, UsageError } from './serve-options.ts';

function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false;
  const end = (): void => {
    if (isStopping) return;
    isStopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  // SIGHUP comes when the terminal is closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
}

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  const isUsage = [UsageError, SpeechSettingsError, CertificateError].some(
    (each) => error instanceof each,
  );
  process.exit(isUsage ? 2 : 1);
}

/** The process exits at once: it could store nothing more, and a restart reads the state on disk. */
const storeBroken =
  'The data folder could not be written. Look whether the disk is full, then start PawPals again.';

interface UsedCertificate {
  readonly files: CertificateFiles;
  readonly current: Certificate;
}

/** Uses a renewed certificate for new connections. @returns a function that stops it. */
function followCertificate({ files, current }: UsedCertificate, backend: Backend): () => void {
  return watchCertificate({
    files,
    current,
    onRenewed: (certificate) => {
      backend.setCertificate(certificate);
      console.log('The certificate was renewed.');
    },
    onUnusable: (reason) => console.error(`The old certificate stays in use. ${reason}`),
  });
}

async function readVersion(root: string): Promise<string> {
  const described: unknown = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8'));
  return v.parse(v.object({ version: v.string() }), described).version;
}

export interface ServeRequest {
  /** The folder of the project. */
  readonly root: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Serves the built app and its backend on one origin until a signal ends it. */
export async function serve({ root, args, env }: ServeRequest): Promise<void> {
  try {
    const options = readServeOptions(args, { root, env });
    const { port, host, isLocal, isBehindProxy, trustedProxies, publicOrigin, tls } = options;
    const certificate = tls === null ? null : await readCertificate(tls);
    const chooserCode = newChooserCode();
    const speech = findLocalSpeech(env);
    const transcription = createEmbeddedTranscription({
      listener: openEmbeddedListener(env, speech.engine),
      log: (event, fields) => processLog.info(event, fields),
    });
    const backend = await createBackend({
      port,
      dataDir: options.dataDir,
      staticDir: resolve(root, 'dist'),
      firestoreRules: resolve(root, 'firestore.rules'),
      storageRules: resolve(root, 'storage.rules'),
      firestoreIndexes: resolve(root, 'firestore.indexes.json'),
      version: await readVersion(root),
      httpFunctions: transcription.httpFunctions,
      host,
      isBehindProxy,
      takesSignUps: options.takesSignUps,
      log: processLog,
      ...(trustedProxies.length === 0 ? {} : { trustedProxies }),
      onRestored: renewEpochs,
      onBroken: () => fail(new Error(storeBroken)),
      printMail: (text) => console.log(text),
      ...(publicOrigin === null ? {} : { publicOrigin }),
      ...(certificate === null ? {} : { tls: certificate }),
      ...(isLocal
        ? {
            chooserCode,
            seed: (target) => seedDemoOwner(target, resolve(root, 'scripts/demo-owner')),
          }
        : {}),
    });
    const endFunctions = mountFunctions(backend, {
      onFailure: (message, error) => processLog.error(message, describeError(error)),
    });
    transcription.bind(backend);
    const hasDemoOwner = await admitDemoOwner(backend.accounts, isLocal);
    const endCertificates =
      tls === null || certificate === null
        ? () => undefined
        : followCertificate({ files: tls, current: certificate }, backend);
    stopOnSignals(() => {
      endFunctions();
      endCertificates();
      return backend.stop();
    });
    if (hasDemoOwner) {
      console.log(
        `A demo owner is ready: sign in as ${demoOwner.email} with ${demoOwner.password}`,
      );
    }
    if (speech.note !== null) console.log(speech.note);
    if (isLocal) console.log(chooserCodeLine(chooserCode));
    console.log(`PawPals is ready at ${backend.url}`);
  } catch (error) {
    fail(error);
  }
}
