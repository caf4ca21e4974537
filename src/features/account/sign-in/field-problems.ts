import * as v from 'valibot';

/** The first message for each field that has one. */
export type FieldProblems = Readonly<Partial<Record<string, string>>>;

export type Checked<Output> =
  | { readonly output: Output; readonly problems: null }
  | { readonly output: null; readonly problems: FieldProblems };

export function checkForm<Schema extends v.GenericSchema>(
  schema: Schema,
  values: Readonly<Record<string, string>>,
): Checked<v.InferOutput<Schema>> {
  const result = v.safeParse(schema, values);
  if (result.success) return { output: result.output, problems: null };
  const problems: Partial<Record<string, string>> = {};
  for (const issue of result.issues) {
    const name = v.getDotPath(issue);
    if (name !== null) problems[name] ??= issue.message;
  }
  return { output: null, problems };
}
