import type { Plugin } from 'vite';
import { oldestBrowsers } from '../bundle/oldest-browsers.ts';
import { readNativePolicy, withPolicy } from './native-policy.ts';

/** `vite build --mode native` */
const nativeMode = 'native';

/** In the wrapper the page comes from the device, so the build has to name all servers. */
const required = ['VITE_FIREBASE_API_KEY', 'VITE_FIREBASE_PROJECT_ID', 'VITE_APP_ORIGIN'];
const ofFirebase = ['VITE_FIREBASE_STORAGE_BUCKET', 'VITE_FIREBASE_APP_ID'];

/** Capacitor shows this page instead of the app if the web view is older than `android.minWebViewVersion`. */
const oldWebViewPage = (chrome: string): string => `<!doctype html>
<html lang="en-GB">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>PawPals</title>
  </head>
  <body>
    <h1>PawPals</h1>
    <p>
      PawPals needs a newer Android System WebView: version ${chrome} or later. Update it, and Chrome, in the app store of this
      device. What you have written is still on this device.
    </p>
  </body>
</html>
`;

/** Adds a content security policy in the page, and a page for old web views, to the build of the native wrapper. */
export function nativeBuild(root: string): Plugin {
  let policy = '';
  return {
    name: 'pawpals-native',
    apply: (_config, { mode }) => mode === nativeMode,
    configResolved: async ({ env }) => {
      const isOwnServer = Boolean(env['VITE_FIREBASE_SERVER_ORIGIN']);
      const missing = [...required, ...(isOwnServer ? [] : ofFirebase)].filter(
        (name) => !env[name],
      );
      if (missing.length > 0) {
        throw new Error(`The wrapper needs ${missing.join(', ')}: see docs/native.md.`);
      }
      const appOrigin = String(env['VITE_APP_ORIGIN']);
      if (!URL.canParse(appOrigin) || new URL(appOrigin).origin !== appOrigin) {
        throw new Error(
          'VITE_APP_ORIGIN must be an address without a path, as https://pawpals.example.',
        );
      }
      const origins = [appOrigin, env['VITE_FIREBASE_SERVER_ORIGIN']];
      const given = origins.filter((origin) => typeof origin === 'string' && origin !== '');
      policy = await readNativePolicy(
        root,
        [...new Set(given)].map((origin) => new URL(String(origin)).origin),
      );
    },
    transformIndexHtml: { order: 'post', handler: (page) => withPolicy(page, policy) },
    generateBundle() {
      const [chrome = ''] = oldestBrowsers();
      this.emitFile({
        type: 'asset',
        fileName: 'old-web-view.html',
        source: oldWebViewPage(chrome.replace('chrome', '')),
      });
    },
  };
}
