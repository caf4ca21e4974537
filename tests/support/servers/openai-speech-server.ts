import { startSpeechServer, type SpeechServer } from './speech-server.ts';

export interface OpenAiSpeechServer extends SpeechServer {
  readonly asked: Readonly<Record<string, string>>[];
  /** Whether the model returns segments; newer models do not. */
  knowsSegments: boolean;
}

/** Starts a fake of Whisper behind OpenAI's API: it recognizes one recording, and hallucinates subtitles for others. */
export async function startOpenAiSpeechServer(heard: {
  readonly bytes: Uint8Array;
  readonly words: readonly string[];
}): Promise<OpenAiSpeechServer> {
  const asked: Readonly<Record<string, string>>[] = [];
  const segment = (text: string, isSpoken: boolean) => ({
    text: ` ${text}`,
    no_speech_prob: isSpoken ? 0.02 : 0.93,
    avg_logprob: isSpoken ? -0.3 : -0.8,
    compression_ratio: 1.1,
  });
  const server = await startSpeechServer(async (request) => {
    if (new URL(request.url).pathname !== '/v1/audio/transcriptions') {
      return Response.json({ error: {} }, { status: 404 });
    }
    const form = await request.formData();
    const file = form.get('file');
    if (!(file instanceof File)) return Response.json({ error: {} }, { status: 422 });
    const strings = [...form].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    );
    const authorization = request.headers.get('authorization') ?? '';
    asked.push({ ...Object.fromEntries(strings), file: file.name, type: file.type, authorization });
    const isHeard = Buffer.from(await file.arrayBuffer()).equals(heard.bytes);
    const words = isHeard ? heard.words : ['Thank you for watching!'];
    const text = words.join(' ');
    if (form.get('response_format') !== 'verbose_json') return Response.json({ text });
    if (!played.knowsSegments) return Response.json({ error: {} }, { status: 400 });
    const segments = words.map((word) => segment(word, isHeard));
    return Response.json({ task: 'transcribe', language: 'english', text, segments });
  });
  const played: OpenAiSpeechServer = Object.assign(server, { asked, knowsSegments: true });
  return played;
}
