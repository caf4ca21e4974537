/** The callback for the reply to a message. */
type Answer = (result: unknown) => void;
type Handler = (data: unknown) => unknown;

interface FrameMessage {
  readonly gapi?: 'ready' | 'call' | 'reply';
  readonly id?: number;
  readonly type?: string;
  readonly data?: unknown;
  readonly result?: unknown;
}

interface OpenOptions {
  readonly where: HTMLElement;
  readonly url: string;
  readonly attributes?: { readonly style?: Readonly<Record<string, string>> };
}

function quietly(run: () => unknown): unknown {
  try {
    return run();
  } catch {
    return undefined;
  }
}

function connect(frame: HTMLIFrameElement, origin: string) {
  const answers = new Map<number, Answer>();
  const handlers = new Map<string, Handler>();
  const unheard: FrameMessage[] = [];
  let calls = 0;
  const post = (message: object) => frame.contentWindow?.postMessage(message, origin);
  const ready = new Promise<void>((resolve) => {
    addEventListener('message', ({ source, origin: from, data }: MessageEvent<FrameMessage>) => {
      if (source !== frame.contentWindow || from !== origin) return;
      if (data.gapi === 'ready') resolve();
      if (data.gapi === 'call') hear(data);
      if (data.gapi === 'reply') quietly(() => answers.get(data.id ?? 0)?.(data.result));
    });
  });
  const hear = (message: FrameMessage) => {
    const handler = handlers.get(message.type ?? '');
    if (handler === undefined) return void unheard.push(message);
    return post({ gapi: 'reply', id: message.id, result: [quietly(() => handler(message.data))] });
  };
  frame.addEventListener('load', () => post({ gapi: 'hello' }));
  return {
    restyle: () => Promise.resolve(),
    ping: (onReady: () => void) => ready.then(() => onReady()),
    register(type: string, handler: Handler) {
      handlers.set(type, handler);
      unheard.splice(0).forEach(hear);
    },
    send(type: string, data: unknown, answer: Answer) {
      answers.set((calls += 1), answer);
      post({ gapi: 'call', id: calls, type, data });
    },
  };
}

function open<Result>(
  { where, url, attributes }: OpenOptions,
  onOpen: (frame: ReturnType<typeof connect>) => Result,
): Result {
  const frame = document.createElement('iframe');
  frame.title = 'Sign-in helper';
  frame.tabIndex = -1;
  frame.ariaHidden = 'true';
  Object.assign(frame.style, attributes?.style);
  const connection = connect(frame, new URL(url).origin);
  frame.src = url;
  where.append(frame);
  return onOpen(connection);
}

/**
 * Replaces Google's `gapi.iframes`, through which Firebase Auth talks to its helper frame, if the app's own server
 * serves that frame, so that nothing is loaded from Google. It must be installed before the first popup.
 *
 * - Only messages of the frame itself, from the origin it was opened with, are handled.
 * - A message without a registered handler waits for one.
 * - Errors that callbacks of the SDK throw are ignored, as gapi does.
 */
export function installGapiStub(): void {
  const iframes = { CROSS_ORIGIN_IFRAMES_FILTER: null, Iframe: open, getContext: () => ({ open }) };
  Object.assign(globalThis, { gapi: { iframes } });
}
