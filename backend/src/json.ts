export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether objects and lists lie in more than `levels` others. What is nested thousandfold overflows the stack as a text. */
export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels < 0 || Object.values(value).some((each) => isDeeperThan(levels - 1, each)));

type JsonResult = { ok: true; value: unknown } | { ok: false };

/**
 * The largest number of objects, arrays, elements and properties in a text, all of which take time and memory: 10 MiB could
 * hold millions, and would be parsed for seconds. Each begins after a brace, a bracket or a comma, of which a document of
 * 40,000 values has 160,000 at most, and its mask 40,000.
 */
const maxNodes = 250_000;

function hasTooManyNodes(text: string): boolean {
  let nodes = 0;
  let isInString = false;
  for (let at = 0; at < text.length && nodes <= maxNodes; at++) {
    const char = text.charCodeAt(at);
    if (char === quote) isInString = !isInString;
    else if (!isInString) nodes += Number(char === brace || char === bracket || char === comma);
    else if (char === backslash) at++;
  }
  return nodes > maxNodes;
}

const [quote, backslash, brace, bracket, comma] = Buffer.from('"\\{[,');

/** Parses what a client has sent. */
export function parseJson(text: string): JsonResult {
  if (text.length > maxNodes && hasTooManyNodes(text)) return { ok: false };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}
