import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type * as Sdk from '../../browser/sdk.ts';
import { installXmlHttpRequest } from './xml-http-request.ts';

export type BrowserSdk = typeof Sdk;

/** A script for a page: the SDK itself, or the page of the conformance cases with it. */
export const bundleForBrowser = (name: 'sdk' | 'conformance'): Promise<string> =>
  readFile(inject('builtFiles')[name], 'utf8');

/** The browser build in this process, a new one each time, talking through a shim of XMLHttpRequest. */
export async function importBrowserSdk(): Promise<BrowserSdk> {
  installXmlHttpRequest();
  const { href } = pathToFileURL(inject('builtFiles').sdk);
  const module: BrowserSdk = await import(`${href}?${crypto.randomUUID()}`);
  return module;
}
