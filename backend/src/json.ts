export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type JsonResult = { ok: true; value: unknown } | { ok: false };

/**
 * The largest number of objects and arrays in a text. Each takes some 60 bytes of memory, so 10 MiB of empty ones would
 * take 220 MB. No valid request has so many: the shortest value, `{"nullValue":null}`, has 18 bytes, so 10 MiB hold at most
 * 580,000 values.
 */
const maxNodes = 700_000;

function hasTooManyNodes(text: string): boolean {
  let nodes = 0;
  for (let at = 0; at < text.length && nodes <= maxNodes; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) nodes++;
  }
  return nodes > maxNodes;
}

/** Parses what a client has sent. */
export function parseJson(text: string): JsonResult {
  if (text.length > 2 * maxNodes && hasTooManyNodes(text)) return { ok: false };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}
