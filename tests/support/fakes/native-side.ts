import { readFile } from 'node:fs/promises';
import { bridgeScript, pluginHeaders } from './native-bridge.ts';

/** The native side's answers to `Plugin.method`, as data. An answer with a `refusal` is an error with that message. */
export type NativeAnswers = Readonly<Record<string, object>>;

export interface NativeCallSeen {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    nativeSide: {
      readonly calls: NativeCallSeen[];
      /** Sets the answer to later calls of `Plugin.method`. */
      answer(name: string, data: object): void;
      emit(name: string, data: object): void;
      /** Returns the pieces of a file as they were written, in base64; null if there is no such file. */
      file(uri: string): readonly string[] | null;
    };
  }
}

export interface NativeSideOptions {
  readonly answers: NativeAnswers;
  readonly headers: typeof pluginHeaders;
  /** The system, since Android and iOS post calls in different ways. */
  readonly system: 'android' | 'ios';
}

/**
 * Runs in the page before the app's code. It provides a file system, and a share sheet in which a target is always
 * chosen.
 */
function installNativeSide({ answers, headers, system }: NativeSideOptions): void {
  interface Call {
    readonly callbackId: string;
    readonly pluginId: string;
    readonly methodName: string;
    readonly options: Readonly<Record<string, unknown>>;
  }
  const calls: NativeCallSeen[] = [];
  const listeners = new Map<string, Call>();
  const given = new Map(Object.entries(answers));
  const files = new Map<string, string[]>();
  const uriOf = ({ directory, path }: Call['options']) =>
    `file:///${String(directory)}/${String(path)}`;

  const disk = (methodName: string, options: Call['options']): object => {
    const uri = uriOf(options);
    if (methodName === 'writeFile') files.set(uri, [String(options['data'])]);
    else if (methodName === 'appendFile') files.get(uri)?.push(String(options['data']));
    else for (const name of files.keys()) if (name.startsWith(uri)) files.delete(name);
    return { uri };
  };
  const answerTo = ({ pluginId, methodName, options }: Call): object =>
    given.get(`${pluginId}.${methodName}`) ??
    (pluginId === 'Filesystem' ? disk(methodName, options) : {});

  const reply = (call: Call, data: object): void => {
    const save = call.methodName === 'addListener';
    const refusal: unknown = Reflect.get(data, 'refusal');
    const success = typeof refusal !== 'string';
    const outcome = success ? { data } : { error: { message: refusal } };
    const capacitor: { fromNative(result: object): void } = Reflect.get(window, 'Capacitor');
    capacitor.fromNative({ ...call, save, success, ...outcome });
  };
  const receive = (call: Call): void => {
    const { pluginId, methodName, options } = call;
    // The bridge also posts the page's console output and its errors.
    if (pluginId === 'Console' || pluginId === undefined) return;
    const name = `${pluginId}.${methodName}`;
    calls.push({ name, options });
    if (methodName === 'addListener')
      listeners.set(`${pluginId}.${String(options['eventName'])}`, call);
    else queueMicrotask(() => reply(call, answerTo(call)));
  };

  window.nativeSide = {
    calls,
    answer: (name, data) => given.set(name, data),
    emit: (name, data) => {
      const listener = listeners.get(name);
      if (listener !== undefined) reply(listener, data);
    },
    file: (uri) => files.get(uri) ?? null,
  };
  Object.assign(window, { Capacitor: { PluginHeaders: headers, Plugins: {} } });
  if (system === 'android') {
    const postMessage = (text: string): void => receive(JSON.parse(text));
    Object.assign(window, { androidBridge: { postMessage } });
    return;
  }
  const messageHandlers = { bridge: { postMessage: receive } };
  Object.defineProperty(window, 'webkit', { value: { messageHandlers } });
  // The bridge asks through `prompt` whether the system handles cookies and requests.
  Object.assign(window, { prompt: () => 'false' });
}

/**
 * Returns a script that makes a page one of the native wrapper: the native side, and Capacitor's own script for the
 * page.
 */
export async function nativeSideScript(
  options: Omit<NativeSideOptions, 'headers'>,
): Promise<string> {
  const argument = JSON.stringify({ ...options, headers: pluginHeaders });
  // The compiler of the tests inserts calls of `__name`, which pages do not have.
  return `{ const __name = (named) => named; (${installNativeSide.toString()})(${argument}); }
    ${await readFile(bridgeScript, 'utf8')}`;
}

/** Returns the bytes of a file from its pieces. */
export function fileBytes(pieces: readonly string[]): Buffer {
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')));
}
