import * as v from 'valibot';
import { readJson } from './read-file.ts';

/** The parts of firebase.json that a deployment requires. */
const firebaseConfigSchema = v.object({
  hosting: v.object({
    public: v.string(),
    headers: v.array(
      v.object({
        source: v.string(),
        headers: v.array(v.object({ key: v.string(), value: v.string() })),
      }),
    ),
  }),
  firestore: v.object({ rules: v.string(), indexes: v.string() }),
  storage: v.object({ rules: v.string() }),
  functions: v.tuple([v.object({ source: v.string(), runtime: v.string() })]),
});

export type FirebaseConfig = v.InferOutput<typeof firebaseConfigSchema>;

/** Returns null if the file is missing or lacks a part. */
export async function readFirebaseConfig(root: string): Promise<FirebaseConfig | null> {
  const parsed = v.safeParse(firebaseConfigSchema, await readJson(root, 'firebase.json'));
  return parsed.success ? parsed.output : null;
}

/** Returns the content security policy of every page, or null. */
export function hostedPolicy({ hosting }: FirebaseConfig): string | null {
  const everywhere = hosting.headers.filter(({ source }) => source === '**');
  const all = everywhere.flatMap(({ headers }) => headers);
  return all.find(({ key }) => key.toLowerCase() === 'content-security-policy')?.value ?? null;
}
