import { stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { sendText, type Exchange, type Route } from '../exchange.ts';
import { pageHeaders } from '../guards/security-headers.ts';
import { loadAsset, type Asset } from './static-asset.ts';

interface Cached {
  readonly modifiedMs: number;
  readonly asset: Asset;
}

const cachedForAYear = 'public, max-age=31536000, immutable';

/**
 * - It serves only files of the folder, from memory after their first request; a rebuilt file is read again.
 * - Files under `/static` have a hash in their name and never change, so they are cached for a year. All others are
 *   revalidated at every use.
 * - A missing file is a 404, never the page instead: HTML in place of a script breaks an update.
 *   Other paths are routes of the app and get `index.html`.
 * - A form that is posted to a route is meant for the app's worker, which is not installed: the page opens without it.
 */
export function createStaticFiles(folder: string): Route {
  const root = resolve(folder);
  const cache = new Map<string, Cached>();

  const find = async (path: string): Promise<Asset | undefined> => {
    const file = join(root, path);
    if (!file.startsWith(root + sep)) return undefined;
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const cached = cache.get(file);
    if (cached?.modifiedMs === stats.mtimeMs) return cached.asset;
    const asset = await loadAsset(file);
    cache.set(file, { modifiedMs: stats.mtimeMs, asset });
    return asset;
  };

  return {
    matches: () => true,
    async handle(exchange) {
      const path = decodePath(exchange.url.pathname);
      const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
      if (path === null) return sendText(exchange.response, 400, 'Bad request');
      if (!isRead) {
        const isForm = exchange.request.method === 'POST' && isAppRoute(path);
        return isForm
          ? sendToPage(exchange)
          : sendText(exchange.response, 405, 'Method not allowed');
      }
      const asset = (await find(path)) ?? (isAppRoute(path) ? await find('index.html') : undefined);
      if (asset === undefined) return sendText(exchange.response, 404, 'Not found');
      const isHashed = path.startsWith('/static/');
      const cacheControl = isHashed ? cachedForAYear : 'no-cache';
      return sendAsset(exchange, asset, {
        'Cache-Control': cacheControl,
        ...(isHashed ? {} : pageHeaders),
      });
    },
  };
}

/** Decodes a path; returns null when it has a NUL. A malformed one stays as it is, for the app to redirect to its start. */
function decodePath(pathname: string): string | null {
  let path = pathname;
  try {
    path = decodeURIComponent(pathname);
  } catch {
    // The malformed path stays as it is.
  }
  return path.includes('\0') ? null : path;
}

const isAppRoute = (path: string): boolean =>
  !path.startsWith('/static/') && !/\.[^/]*$/.test(path) && !path.startsWith('/__/');

/**
 * Redirects a posted form to the page. It does not read the body, since browsers follow the answer anyway. Browsers
 * interpret the first segment after two slashes as another host, so leading slashes are reduced to one.
 */
function sendToPage({ response, url }: Exchange): void {
  const location = url.pathname.replace(/^\/+/, '/');
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

function sendAsset(
  { request, response }: Exchange,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): void {
  const always = { ...headers, ETag: asset.etag, Vary: 'Accept-Encoding' };
  if (request.headers['if-none-match'] === asset.etag) {
    response.writeHead(304, always).end();
    return;
  }
  const compressed = takesBrotli(request.headers['accept-encoding']) ? asset.brotli : null;
  const body = compressed ?? asset.plain;
  response.writeHead(200, {
    ...always,
    ...(compressed === null ? {} : { 'Content-Encoding': 'br' }),
    'Content-Type': asset.contentType,
    'Content-Length': body.length,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/** Every browser that the app supports takes brotli over https and from this machine, so there is no second encoding. */
const takesBrotli = (accepted: string | string[] = ''): boolean =>
  String(accepted)
    .split(',')
    .some((each) => /^\s*br\s*(?:;|$)/.test(each) && !/;\s*q=0(?:\.0*)?\s*$/.test(each));
