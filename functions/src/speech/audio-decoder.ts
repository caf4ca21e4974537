import type { AudioType } from './audio-type.ts';
import { sampleRate } from './pcm.ts';
import { runCommand } from './run-command.ts';
import { withScratchFile } from './scratch-file.ts';
import { transcribedMaxSeconds } from '../../../schemas/limits.ts';

/** `missing`: this machine has no decoder, or no memory for it. `unreadable`: the file has no decodable audio. */
export type Decoded =
  | { readonly kind: 'samples'; readonly samples: Int16Array }
  | { readonly kind: 'missing' | 'unreadable' | 'too-long' };

export interface AudioDecoder {
  /** Rejects only with the signal's reason, once it is aborted. */
  decode(bytes: Uint8Array, type: AudioType, signal: AbortSignal): Promise<Decoded>;
}

/** The input format is fixed and only the file may be opened: a playlist would make ffmpeg read other files. */
const formats: Readonly<Record<AudioType, string>> = {
  webm: 'matroska',
  ogg: 'ogg',
  mp4: 'mov',
  wav: 'wav',
  mp3: 'mp3',
  flac: 'flac',
  aac: 'aac',
};

/** Runs ffmpeg on a file rather than a pipe, since the index of an MP4 may come last. */
export function createFfmpegDecoder(command = 'ffmpeg'): AudioDecoder {
  return {
    decode: (bytes, type, signal) =>
      withScratchFile(bytes, async (file) => {
        const input = ['-protocol_whitelist', 'file', '-f', formats[type], '-i', `file:${file}`];
        const output = ['-vn', '-ac', '1', '-ar', String(sampleRate), '-f', 's16le'];
        const length = ['-t', String(transcribedMaxSeconds + 1)];
        const args = [
          '-nostdin',
          '-v',
          'error',
          '-threads',
          '1',
          ...input,
          ...length,
          ...output,
          '-',
        ];
        const result = await runCommand(command, args, signal);
        if (result.kind === 'missing' || !isEnded(result.code)) return { kind: 'missing' };
        const samples = toSamples(result.output);
        // The intact part of a truncated recording is used, although ffmpeg reports an error at its end.
        if (samples.length === 0) return { kind: 'unreadable' };
        const isLong = samples.length > transcribedMaxSeconds * sampleRate;
        return isLong ? { kind: 'too-long' } : { kind: 'samples', samples };
      }),
  };
}

/** The shell's exit code for a command that it may not run. */
const notAllowedCode = 126;

/** Whether the command has come to its end, and was not killed, as by a system without memory. */
const isEnded = (code: number | null): boolean => code !== null && code !== notAllowedCode;

function toSamples(bytes: Buffer): Int16Array {
  const samples = new Int16Array(Math.floor(bytes.length / 2));
  return samples.map((_, index) => bytes.readInt16LE(index * 2));
}
