/** Fields of a log line: ids, counts, codes, durations; never a body, a document path, an e-mail address or a token. */
export type LogFields = Readonly<Record<string, string | number | boolean>>;

export type Log = ReturnType<typeof createJsonLog>;

export function createJsonLog(writeLine: (line: string) => unknown, now: () => number) {
  const at =
    (level: string) =>
    (event: string, fields: LogFields = {}): void =>
      void writeLine(
        JSON.stringify({ time: new Date(now()).toISOString(), level, event, ...fields }),
      );
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLog = createJsonLog(() => undefined, Date.now);

/** The log of a server: lines of JSON on standard error. */
export const processLog = createJsonLog((line) => process.stderr.write(`${line}\n`), Date.now);

/** Returns the fields that may be logged about a thrown value: its class and code, not its message. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const code = 'code' in error ? error.code : undefined;
  const isCode = typeof code === 'string' || typeof code === 'number';
  return { error: error.name, ...(isCode ? { code } : {}) };
}
