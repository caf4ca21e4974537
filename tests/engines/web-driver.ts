import { object, parse, string, unknown } from 'valibot';

/** One session of a browser by the WebDriver protocol. Commands run one after the other: a window has to be chosen first. */
export interface WebDriverSession {
  /** @param window null: the command is for the whole browser. */
  command(window: string | null, call: WebDriverCall): Promise<unknown>;
}

export interface WebDriverCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the session. */
  readonly path: string;
  readonly body?: unknown;
  /** The same once more changes nothing, so that it is asked again when there is no answer. */
  readonly isRepeatable?: true;
}

/** Limits for what hangs, not for what is slow on a busy machine. */
const patienceMs = 60_000;
const repeatableMs = 5_000;
const mostTries = 8;

const answerSchema = object({ value: unknown() });
const sessionSchema = object({ sessionId: string() });

type Question = Omit<WebDriverCall, 'path'>;

async function ask(address: string, question: Question, limitMs = patienceMs): Promise<unknown> {
  const { method, body } = question;
  const response = await fetch(address, {
    method,
    signal: AbortSignal.timeout(limitMs),
    ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
  });
  const { value } = parse(answerSchema, await response.json());
  if (!response.ok) throw new Error(`${method} ${address}: ${JSON.stringify(value)}`);
  return value;
}

/** WebKitWebDriver never answers a command that meets a page at the moment in which another one takes its place. */
async function askAgain(address: string, question: Question, tries = 1): Promise<unknown> {
  try {
    return await ask(address, question, repeatableMs);
  } catch (error) {
    const isUnanswered = error instanceof DOMException && error.name === 'TimeoutError';
    if (!isUnanswered || tries === mostTries) throw error;
    return askAgain(address, question, tries + 1);
  }
}

/** @param driver its address. */
export async function openSession(
  driver: string,
  capabilities: Readonly<Record<string, unknown>>,
): Promise<WebDriverSession> {
  const body = { capabilities: { alwaysMatch: capabilities } };
  const opened = await ask(`${driver}/session`, { method: 'POST', body });
  const { sessionId } = parse(sessionSchema, opened);
  const base = `${driver}/session/${sessionId}`;
  let current: string | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const run = async (window: string | null, { path, ...question }: WebDriverCall) => {
    if (window !== null && window !== current) {
      await askAgain(`${base}/window`, { method: 'POST', body: { handle: window } });
      current = window;
    }
    return (question.isRepeatable ? askAgain : ask)(base + path, question);
  };

  return {
    command: (window, call) => {
      const result = last.then(() => run(window, call));
      last = result.catch(() => undefined);
      return result;
    },
  };
}
