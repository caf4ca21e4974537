import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, normalize, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { percentDecoded, sendText, type Exchange, type Route } from '../exchange.ts';
import { pageHeaders } from '../guards/security-headers.ts';
import { discardBody } from '../read-body.ts';

interface Asset {
  readonly etag: string;
  readonly contentType: string;
  readonly plain: Buffer;
  /** Null for a file that compression does not make smaller. */
  readonly brotli: Buffer | null;
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
  /** The loaded files, and those that are being loaded. Requests for the same file wait for one load. */
  const cache = new Map<string, { readonly modifiedMs: number; readonly asset: Promise<Asset> }>();

  const find = async (path: string): Promise<Asset | undefined> => {
    const file = join(root, path);
    if (!file.startsWith(root + sep)) return undefined;
    const stats = await stat(file).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const modifiedMs = stats.mtimeMs;
    const cached = cache.get(file);
    if (cached?.modifiedMs === modifiedMs) return cached.asset;
    const loading = { modifiedMs, asset: loadAsset(file) };
    cache.set(file, loading);
    loading.asset.catch(() => {
      if (cache.get(file) === loading) cache.delete(file);
    });
    return loading.asset;
  };

  return {
    matches: () => true,
    async handle(exchange) {
      const { pathname } = exchange.url;
      // A malformed path stays as it is, for the app to redirect to its start. Encoded dots are resolved as `join` does it.
      const path = normalize(percentDecoded(pathname) ?? pathname).replaceAll(sep, '/');
      const isRead = exchange.request.method === 'GET' || exchange.request.method === 'HEAD';
      if (path.includes('\0')) return sendText(exchange.response, 400, 'Bad request');
      if (!isRead) {
        await discardBody(exchange);
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

/** Whether the path is none of a file, whose last segment has a dot. */
const isAppRoute = (path: string): boolean =>
  path.lastIndexOf('.') < path.lastIndexOf('/') &&
  !path.startsWith('/static/') &&
  !path.startsWith('/__/');

/**
 * Redirects a posted form to the page. Browsers interpret the first segment after two slashes as another host, so leading
 * slashes are reduced to one.
 */
function sendToPage({ response, url }: Exchange): void {
  const location = url.pathname.replace(/^\/+/, '/');
  response.writeHead(303, { Location: location, 'Cache-Control': 'no-store' }).end();
}

/** Larger files are charged until they are read: over HTTP/2, all of a file is encrypted before its reader takes it. */
const smallBytes = 64 * 1024;

/** @throws {LimitError} */
function sendAsset(
  exchange: Exchange,
  asset: Asset,
  headers: Readonly<Record<string, string>>,
): void {
  const { request, response } = exchange;
  const always = { ...headers, ETag: asset.etag, Vary: 'Accept-Encoding' };
  if (request.headers['if-none-match'] === asset.etag) {
    response.writeHead(304, always).end();
    return;
  }
  const compressed = takesBrotli(request.headers['accept-encoding']) ? asset.brotli : null;
  const body = compressed ?? asset.plain;
  if (body.length > smallBytes) exchange.take('answerBytes', exchange.client, body.length);
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

const contentTypes = new Map([
  ['html', 'text/html; charset=utf-8'],
  ['js', 'text/javascript; charset=utf-8'],
  ['mjs', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
  ['json', 'application/json; charset=utf-8'],
  ['map', 'application/json; charset=utf-8'],
  ['webmanifest', 'application/manifest+json; charset=utf-8'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain; charset=utf-8'],
  ['wasm', 'application/wasm'],
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['webp', 'image/webp'],
  ['ico', 'image/x-icon'],
  ['woff2', 'font/woff2'],
  ['mp3', 'audio/mpeg'],
  ['webm', 'audio/webm'],
]);

const compressible = new Set('html js mjs css json map webmanifest svg txt wasm ico'.split(' '));
const minCompressedBytes = 1024;
/** Level 9 takes ten times as long for 0.3 % less, and every start of the server compresses anew. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 7 };

const compress = promisify(brotliCompress);

async function loadAsset(file: string): Promise<Asset> {
  const extension = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  const plain = await readFile(file);
  const isCompressible = compressible.has(extension) && plain.length >= minCompressedBytes;
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 27)}"`,
    contentType: contentTypes.get(extension) ?? 'application/octet-stream',
    plain,
    brotli: isCompressible ? await compress(plain, { params }) : null,
  };
}
