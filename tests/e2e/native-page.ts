import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright/test';
import { bridgeScript, pluginHeaders } from '../support/native-bridge.ts';

/** What the wrapper answers to `Plugin.method`, as data. */
export type NativeAnswers = Readonly<Record<string, object>>;

export interface NativeCallSeen {
  readonly name: string;
  readonly options: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    nativeSide: {
      readonly calls: NativeCallSeen[];
      emit(name: string, data: object): void;
    };
  }
}

interface InstallOptions {
  readonly answers: NativeAnswers;
  readonly headers: typeof pluginHeaders;
}

/** Runs in the page, before anything of ours. */
function installNativeSide({ answers, headers }: InstallOptions): void {
  interface Call {
    readonly callbackId: string;
    readonly pluginId: string;
    readonly methodName: string;
    readonly options: Readonly<Record<string, unknown>>;
  }
  const calls: NativeCallSeen[] = [];
  const listeners = new Map<string, Call>();
  const bridge: {
    postMessage(text: string): void;
    onmessage?(event: { readonly data: string }): void;
  } = {
    postMessage: (text) => {
      const call: Call = JSON.parse(text);
      const { pluginId, methodName, options } = call;
      if (pluginId === 'Console') return;
      const name = `${pluginId}.${methodName}`;
      calls.push({ name, options });
      if (methodName === 'addListener')
        listeners.set(`${pluginId}.${String(options['eventName'])}`, call);
      else queueMicrotask(() => reply(call, answers[name] ?? {}));
    },
  };
  const reply = (call: Call, data: object): void => {
    const save = call.methodName === 'addListener';
    bridge.onmessage?.({ data: JSON.stringify({ ...call, save, success: true, data }) });
  };
  window.nativeSide = {
    calls,
    emit: (name, data) => {
      const listener = listeners.get(name);
      if (listener !== undefined) reply(listener, data);
    },
  };
  Object.assign(window, {
    androidBridge: bridge,
    Capacitor: { PluginHeaders: headers, Plugins: {} },
  });
}

/** Makes the pages of a device those of the native wrapper: Android's own bridge script, with this test behind it. */
export async function wrapNatively(
  context: BrowserContext,
  answers: NativeAnswers = {},
): Promise<void> {
  await context.addInitScript(installNativeSide, { answers, headers: pluginHeaders });
  await context.addInitScript({ content: await readFile(bridgeScript, 'utf8') });
}

export function nativeCalls(page: Page, name: string): Promise<NativeCallSeen[]> {
  return page.evaluate(
    (wanted) => window.nativeSide.calls.filter((call) => call.name === wanted),
    name,
  );
}

/** As the system tells the app. */
export function emitNatively(page: Page, name: string, data: object): Promise<void> {
  return page.evaluate((event) => window.nativeSide.emit(event.name, event.data), { name, data });
}
