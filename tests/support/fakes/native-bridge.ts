import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';

/** A call as the page posts it to the native side. */
export interface NativeCall {
  readonly callbackId: string;
  readonly pluginId: string;
  readonly methodName: string;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface NativeSide {
  /** The page's calls, in order. */
  readonly calls: readonly NativeCall[];
  /** The answer to each `Plugin.method`, or a promise of it. An error rejects the call. */
  readonly answers: Map<string, unknown>;
  /** Emits a plugin's event to its listeners. */
  emit(pluginId: string, eventName: string, data: unknown): void;
  /** Clears the calls, answers and listeners of the previous test. */
  reset(): void;
}

/** The plugin headers that the native side announces to the page. */
export const pluginHeaders = [
  { name: 'ActionSheet', promises: ['showActions'] },
  { name: 'App', promises: ['getInfo', 'minimizeApp'] },
  { name: 'Camera', promises: ['takePhoto', 'chooseFromGallery'] },
  { name: 'Filesystem', promises: ['appendFile', 'rmdir', 'writeFile'] },
  { name: 'FirebaseAuthentication', promises: ['signInWithGoogle', 'signOut'] },
  { name: 'Haptics', promises: ['notification'] },
  { name: 'Share', promises: ['share'] },
].map(({ name, promises }) => ({
  name,
  methods: [
    ...promises.map((method) => ({ name: method, rtype: 'promise' })),
    { name: 'addListener' },
    { name: 'removeListener' },
  ],
}));

/** The script that Android puts into the page. */
export const bridgeScript = join(
  import.meta.dirname,
  '../../../node_modules/@capacitor/android/capacitor/src/main/assets/native-bridge.js',
);

/** Returns the code of a plugin's error, which is a string if there is one. */
function codeOf(refusal: Error): string | undefined {
  const code: unknown = Reflect.get(refusal, 'code');
  return typeof code === 'string' ? code : undefined;
}

function reply({ callbackId, pluginId, methodName }: NativeCall, answer: unknown): string {
  const isRefused = answer instanceof Error;
  return JSON.stringify({
    callbackId,
    pluginId,
    methodName,
    save: methodName === 'addListener',
    success: !isRefused,
    ...(isRefused
      ? { error: { message: answer.message, code: codeOf(answer) } }
      : { data: answer ?? {} }),
  });
}

/**
 * Installs Android's own bridge script with this test as its native side. Call it once per test file, before any of
 * Capacitor's modules is loaded.
 */
export function installNativeBridge(): NativeSide {
  const calls: NativeCall[] = [];
  const listeners: NativeCall[] = [];
  const answers = new Map<string, unknown>();
  const bridge: {
    readonly postMessage: (text: string) => void;
    onmessage?: (event: { readonly data: string }) => void;
  } = {
    postMessage: (text) => {
      // The shape is that of `toNative` in Capacitor's own script.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const call = JSON.parse(text) as NativeCall;
      if (call.pluginId === 'Console') return;
      calls.push(call);
      if (call.methodName === 'addListener') {
        listeners.push(call);
        return;
      }
      const answer = answers.get(`${call.pluginId}.${call.methodName}`);
      void Promise.resolve(answer).then((given) =>
        bridge.onmessage?.({ data: reply(call, given) }),
      );
    },
  };
  Object.assign(globalThis, {
    androidBridge: bridge,
    Capacitor: { PluginHeaders: pluginHeaders, Plugins: {} },
  });
  runInThisContext(`{ ${readFileSync(bridgeScript, 'utf8')} }`);
  return {
    calls,
    answers,
    emit: (pluginId, eventName, data) => {
      const told = listeners.filter(
        ({ pluginId: id, options }) => id === pluginId && options['eventName'] === eventName,
      );
      for (const call of told) bridge.onmessage?.({ data: reply(call, data) });
    },
    reset: () => {
      calls.length = 0;
      listeners.length = 0;
      answers.clear();
    },
  };
}
