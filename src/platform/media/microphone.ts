import { atom } from 'jotai';
import { isWebKitAgent, recordingType } from '../../lib/media/recording-type.ts';

/**
 * The reasons why a microphone cannot be used.
 * - `denied`: the permission or the device is missing.
 * - `unavailable`: the device does not work.
 * - `unsupported`: the browser cannot record, at all or without https.
 */
export type MicrophoneProblem = 'denied' | 'unavailable' | 'unsupported';

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

export interface RecordingEvents {
  /** Receives the chunks in order: two per second, one per second in WebKit. */
  readonly onChunk: (bytes: ArrayBuffer) => void;
  /** Called when the device ends the recording, as for a call or a pulled headset. The last chunk may still follow. */
  readonly onEnded: () => void;
}

/** A microphone that is permitted and open. Callers release it with `close`, also after an error. */
export interface Microphone {
  /** The content type with its codec, as the recorder names it. */
  readonly contentType: string;
  /** @throws {MicrophoneError} if the device ended between the opening and the start. */
  start(events: RecordingEvents): void;
  /** The current loudness, from 0 to 1. */
  level(): number;
  /** Stops recording. Resolves when the last chunk was passed on. */
  stop(): Promise<void>;
  close(): void;
}

/** Asks for permission and opens the microphone. @throws {MicrophoneError} if it cannot be used. */
export type OpenMicrophone = () => Promise<Microphone>;

/** Half of the time that a recording may lose. */
const chunkMs = 500;
/**
 * WebKit writes mp4 in parts of one second, whatever the interval; this interval passes each part on soon after it is
 * complete.
 */
const mp4ChunkMs = 250;
const bitsPerSecond = 32_000;
/** The time after which a recorder that does not answer is given up. */
const stopTimeoutMs = 3_000;

const deniedNames = new Set(['NotAllowedError', 'NotFoundError', 'SecurityError']);

function toMicrophoneError(error: unknown): MicrophoneError {
  const isDenied = error instanceof Error && deniedNames.has(error.name);
  return new MicrophoneError(isDenied ? 'denied' : 'unavailable', { cause: error });
}

interface Meter {
  readonly level: () => number;
  readonly close: () => void;
}

/** Measures the loudness of speech, scaled to the range from 0 to 1. */
function openMeter(stream: MediaStream): Meter {
  try {
    const context = new AudioContext();
    const analyser = context.createAnalyser();
    analyser.fftSize = 512;
    context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    return {
      level: () => {
        analyser.getFloatTimeDomainData(samples);
        const sum = samples.reduce((total, sample) => total + sample * sample, 0);
        return Math.min(1, Math.sqrt(sum / samples.length) * 4);
      },
      close: () => void context.close().catch(() => undefined),
    };
  } catch {
    return { level: () => 0, close: () => undefined };
  }
}

function openRecorder(stream: MediaStream): MediaRecorder {
  const mimeType = recordingType({
    isSupported: (type) => MediaRecorder.isTypeSupported(type),
    isWebKit: isWebKitAgent(navigator.userAgent),
  });
  const options = { audioBitsPerSecond: bitsPerSecond };
  return new MediaRecorder(stream, mimeType === null ? options : { ...options, mimeType });
}

function createMicrophone(stream: MediaStream): Microphone {
  const recorder = openRecorder(stream);
  const meter = openMeter(stream);
  const tracks = stream.getTracks();
  let isClosed = false;
  /** Resolves when all chunks so far were passed on. */
  let handed: Promise<void> = Promise.resolve();
  const stopped = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve());
  });

  const handOver = async (before: Promise<void>, data: Blob, events: RecordingEvents) => {
    await before;
    const bytes = await data.arrayBuffer();
    if (!isClosed && bytes.byteLength > 0) events.onChunk(bytes);
  };

  const stopTracks = (): void => {
    for (const track of tracks) track.stop();
  };

  return {
    contentType: recorder.mimeType === '' ? 'audio/webm' : recorder.mimeType,
    level: meter.level,
    start: (events) => {
      recorder.addEventListener('dataavailable', ({ data }) => {
        handed = handOver(handed, data, events);
        // After a chunk that cannot be read, the recording would go on without its sound.
        handed.catch(() => events.onEnded());
      });
      recorder.addEventListener('error', () => events.onEnded());
      for (const track of tracks) {
        track.addEventListener('ended', () => events.onEnded());
        // iOS mutes the track for a call.
        track.addEventListener('mute', () => events.onEnded());
      }
      try {
        recorder.start(recorder.mimeType.startsWith('audio/mp4') ? mp4ChunkMs : chunkMs);
      } catch (error) {
        throw toMicrophoneError(error);
      }
    },
    stop: async () => {
      if (recorder.state !== 'inactive') recorder.stop();
      const late = new Promise<never>((_resolve, reject) => {
        setTimeout(() => reject(new MicrophoneError('unavailable')), stopTimeoutMs);
      });
      await Promise.race([stopped, late]);
      await handed;
    },
    close: () => {
      isClosed = true;
      if (recorder.state !== 'inactive') recorder.stop();
      stopTracks();
      meter.close();
    },
  };
}

async function openBrowserMicrophone(): Promise<Microphone> {
  if (!('mediaDevices' in navigator && 'MediaRecorder' in globalThis)) {
    throw new MicrophoneError('unsupported');
  }
  let stream: MediaStream | null = null;
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    return createMicrophone(stream);
  } catch (error) {
    for (const track of stream?.getTracks() ?? []) track.stop();
    throw toMicrophoneError(error);
  }
}

/** The device's microphone; tests set their own. */
export const openMicrophoneAtom = atom<{ readonly open: OpenMicrophone }>({
  open: openBrowserMicrophone,
});
