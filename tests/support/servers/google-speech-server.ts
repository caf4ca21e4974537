import * as v from 'valibot';
import { startSpeechServer, type SpeechServer } from './speech-server.ts';

/** The request as Google documents it for `recognizers.recognize`, version 2. */
const recognizeSchema = v.strictObject({
  config: v.strictObject({
    autoDecodingConfig: v.strictObject({}),
    languageCodes: v.tuple([v.string()]),
    model: v.string(),
    features: v.strictObject({ enableAutomaticPunctuation: v.boolean() }),
    adaptation: v.optional(
      v.strictObject({
        phraseSets: v.array(
          v.strictObject({
            inlinePhraseSet: v.strictObject({
              phrases: v.array(v.strictObject({ value: v.string(), boost: v.number() })),
            }),
          }),
        ),
      }),
    ),
  }),
  content: v.pipe(v.string(), v.base64()),
});

type Recognize = v.InferOutput<typeof recognizeSchema>;

export interface GoogleSpeechServer extends SpeechServer {
  readonly asked: Recognize[];
}

const path = '/v2/projects/my-dogs/locations/global/recognizers/_:recognize';

/**
 * Starts a fake of Google's Speech-to-Text: it recognizes one recording, hears nothing in others, and knows English and
 * German.
 */
export async function startGoogleSpeechServer(
  heard: { readonly bytes: Uint8Array; readonly words: readonly string[] },
  token: string,
): Promise<GoogleSpeechServer> {
  const asked: Recognize[] = [];
  const server = await startSpeechServer(async (request) => {
    const error = (code: number) => Response.json({ error: { code } }, { status: code });
    if (new URL(request.url).pathname !== path) return error(404);
    if (request.headers.get('authorization') !== `Bearer ${token}`) return error(401);
    const parsed = v.safeParse(recognizeSchema, await request.json());
    if (!parsed.success) return error(400);
    asked.push(parsed.output);
    const { config, content } = parsed.output;
    if (!['en-GB', 'de-DE'].includes(config.languageCodes[0])) return error(400);
    const isHeard = Buffer.from(content, 'base64').equals(heard.bytes);
    const metadata = { totalBilledDuration: '2s' };
    // For silence, Google returns no results, or results without alternatives.
    if (!isHeard) return Response.json({ results: [{ languageCode: 'en-gb' }], metadata });
    const results = heard.words.map((transcript) => ({
      alternatives: [{ transcript, confidence: 0.9 }],
      resultEndOffset: '1.5s',
    }));
    return Response.json({ results, metadata });
  });
  return Object.assign(server, { asked });
}
