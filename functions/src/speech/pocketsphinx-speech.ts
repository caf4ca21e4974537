import { createTaskQueue } from './task-queue.ts';
import { toWav } from './pcm.ts';
import { runCommand } from './run-command.ts';
import { withScratchFile } from './scratch-file.ts';
import type { SpeechEngine } from './speech-engine.ts';

/** Its noise removal also removes consonants. */
const quietly = ['-remove_noise', 'no', '-logfn', '/dev/null'];

/** It transcribes wind and hum as `ah` or `if`. */
const noiseAlone = /^\w{1,2}$/;

/**
 * Transcribes by pocketsphinx 0.8 with its English model, as packaged by Debian: small, offline, and often wrong. It
 * uses no hints.
 */
export function createPocketsphinxSpeech(command = 'pocketsphinx_continuous'): SpeechEngine {
  const enqueue = createTaskQueue(1);
  return {
    name: 'pocketsphinx',
    async transcribe({ samples }, { language }, signal) {
      if (samples === null) return { kind: 'unavailable', reason: 'no-decoder' };
      if (!language.startsWith('en-')) return { kind: 'unknown-language' };
      const result = await enqueue({ key: 'any', signal }, () =>
        withScratchFile(toWav(samples), (file) =>
          runCommand(command, ['-infile', file, ...quietly], signal),
        ),
      );
      if (result.kind === 'missing') return { kind: 'unavailable', reason: 'no-command' };
      if (result.code !== 0) return { kind: 'unavailable', reason: `exit-${String(result.code)}` };
      const text = result.output.toString('utf8').trim();
      return { kind: 'text', text: noiseAlone.test(text) ? '' : text, isRough: true };
    },
  };
}
