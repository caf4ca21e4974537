import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { bundleAliases, bundleConditions } from './scripts/bundle/bundle-aliases.ts';
import { chunkGroups } from './scripts/bundle/chunk-groups.ts';
import { classicStart } from './scripts/bundle/classic-start.ts';
import { chunkImports } from './scripts/bundle/chunk-imports.ts';
import { nativeBuild } from './scripts/native/native-build.ts';
import { oldestBrowsers } from './scripts/bundle/oldest-browsers.ts';
import { plainKeys } from './scripts/bundle/plain-keys.ts';
import { plainOrder } from './scripts/bundle/plain-order.ts';
import { appManifest } from './app-manifest.ts';
import { apiPrefixes } from './sw/api-prefixes.ts';

export default defineConfig({
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    chunkImports(import.meta.dirname),
    plainOrder(),
    plainKeys(),
    tailwindcss(),
    classicStart(),
    nativeBuild(import.meta.dirname),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'sw',
      filename: 'sw.ts',
      injectRegister: false,
      injectManifest: {
        globPatterns: ['**/*.{html,js,css,woff2}', 'icon.svg'],
        // The bell is for a connection only; precaching it would cost an offline owner 130 kB. So is Google's sign-in. The
        // native wrapper has no worker.
        globIgnores: [
          ...['bell', 'google-sign-in', 'gapi-stub', 'native'].map(
            (name) => `static/js/${name}-*.js`,
          ),
          // Few owners need their 94 kB, and the browser's own cache keeps them.
          '**/*-latin-ext-*',
        ],
        // Their names have a hash of their own.
        dontCacheBustURLsMatching: /^static\//,
      },
      integration: {
        // The plugin asks for one file by a deprecated name, and tells of it at every start.
        configureCustomSWViteBuild: (config) => {
          config.logLevel = 'warn';
          const alias = bundleAliases(import.meta.dirname);
          config.resolve = { ...config.resolve, conditions: bundleConditions, alias };
          config.plugins = [...(config.plugins ?? []), plainOrder()];
          config.build = {
            ...config.build,
            // A worker is one file; its budget is of compressed bytes, and tested.
            chunkSizeWarningLimit: 600,
            rolldownOptions: {
              ...config.build?.rollupOptions,
              output: { entryFileNames: 'sw.mjs', codeSplitting: false },
            },
            rollupOptions: undefined,
          };
        },
      },
      manifest: appManifest,
      // The system keeps those of an installed app; no page shows them.
      includeManifestIcons: false,
    }),
  ],
  resolve: { conditions: bundleConditions, alias: bundleAliases(import.meta.dirname) },
  worker: {
    format: 'es',
    rolldownOptions: { output: { entryFileNames: 'static/js/[name]-[hash].js' } },
  },
  build: {
    target: oldestBrowsers(),
    sourcemap: false,
    // There is one style sheet, which the page loads: no chunk has to wait for it.
    cssCodeSplit: false,
    // The first screens need one chunk beyond the classic scripts. All others are loaded when idle, and kept.
    modulePreload: false,
    rolldownOptions: {
      // Radix's packages name each of their functions by a call of `__name`, which keeps those that nobody uses. Firebase's
      // register their versions, which only its statistics read. No package reads a property for what its getter does.
      treeshake: {
        manualPureFunctions: ['__name', 'registerVersion'],
        propertyReadSideEffects: false,
      },
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: 'static/assets/[name]-[hash][extname]',
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      apiPrefixes.map((path) => [
        path,
        `http://localhost:${process.env['PAWPALS_BACKEND_PORT'] ?? '4174'}`,
      ]),
    ),
  },
});
