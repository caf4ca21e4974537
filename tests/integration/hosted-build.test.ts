import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageHeaders } from '../../backend/src/http/guards/security-headers.ts';
import { createBackend } from '../../backend/src/server.ts';
import { oldestBrowsers } from '../../scripts/bundle/oldest-browsers.ts';
import { neededHosts, unknownHosts } from '../support/built-app/contacted-hosts.ts';
import { parsePolicy, policyFaults } from '../support/built-app/content-security-policy.ts';
import { buildHosted, hostedSettings, readBuilt } from '../support/built-app/hosted-build.ts';
import { newerCalls } from '../support/built-app/newer-apis.ts';
import { newerCss, sparedCss } from '../support/built-app/newer-css.ts';
import { readHostingConfig, type HostingConfig } from '../support/built-app/hosting-config.ts';

let folder: string;
let dist: string;
let built: string;
let hosting: HostingConfig;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pawpals-hosted-'));
  dist = join(folder, 'dist');
  hosting = await readHostingConfig(new URL('../../firebase.json', import.meta.url));
  await buildHosted(dist);
  built = await readBuilt(dist);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

const hostedPolicy = () => parsePolicy(hosting.headers('/')['content-security-policy'] ?? '');

describe('a build with hosted settings', () => {
  it('contains them, and contacts Google instead of the page’s own origin', () => {
    for (const setting of Object.values(hostedSettings)) expect(built).toContain(setting);
  });

  it('contacts the hosts that firebase.json allows, each of them and no other', () => {
    expect(unknownHosts(built)).toEqual([]);
    const needed = neededHosts(built);
    expect(needed.get('connect-src')).toContain('firestore.googleapis.com');
    expect(policyFaults(hostedPolicy(), needed)).toEqual([]);
  });

  it('has the policy of the embedded backend except for those hosts', () => {
    const own = parsePolicy(pageHeaders['Content-Security-Policy']);
    const withoutHosts = [...hostedPolicy()]
      .map(([name, sources]) => [name, sources.filter((source) => !source.includes('.'))] as const)
      .filter(([, sources]) => sources.length > 0);
    expect(new Map(withoutHosts)).toEqual(own);
  });

  it('calls no API that the oldest browsers lack', () => {
    expect(newerCalls(built)).toEqual([]);
    const calls = 'Array.from(URL.canParse(a)?b.isWellFormed():Array.fromAsync(c))';
    expect(newerCalls(`${calls};indexedDB.databases()`)).toEqual([
      'URL.canParse(',
      'Array.fromAsync(',
      'indexedDB.databases(',
      '.isWellFormed(',
    ]);
  });

  it('has no necessary style that one of the oldest browsers lacks', async () => {
    const folderOfStyles = join(dist, 'static/assets');
    const names = (await readdir(folderOfStyles)).filter((name) => name.endsWith('.css'));
    expect(names).not.toEqual([]);
    const texts = names.map((name) => readFile(join(folderOfStyles, name), 'utf8'));
    const newer = newerCss((await Promise.all(texts)).join('\n'), oldestBrowsers());
    const isSpared = (found: string): boolean => sparedCss.some(([feature]) => feature.test(found));
    expect(newer.filter((found) => !isSpared(found))).toEqual([]);
    expect(sparedCss.filter(([feature]) => !newer.some((found) => feature.test(found)))).toEqual(
      [],
    );
  });

  it('is checked for each kind of style', () => {
    const rules = [
      'a:has(b) { color: red; &:hover { width: stretch } }',
      'a { color: color-mix(in srgb, red, blue); text-wrap: balance }',
      '@starting-style { a { inset: 0 } } @container (width > 1px) { a { height: 1dvh } }',
      '@supports (anchor-name: --a) { a { anchor-name: --a } }',
    ];
    expect(newerCss(rules.join('\n'), ['chrome110', 'firefox115', 'safari16.4'])).toEqual([
      'chrome110, firefox115, safari16.4: @starting-style',
      'chrome110, firefox115, safari16.4: nesting',
      'chrome110, firefox115, safari16.4: text-wrap',
      'chrome110, firefox115, safari16.4: text-wrap: balance',
      'chrome110, firefox115, safari16.4: width: stretch',
      'chrome110: color-mix()',
      'firefox115: :has in a:has(b)',
    ]);
  });

  it('and README name the same oldest browsers', async () => {
    const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');
    const [chrome, firefox, safari] = oldestBrowsers().map((name) => name.replace(/^[a-z]+/, ''));
    const sentence = `Chrome ${chrome ?? ''}, Firefox ${firefox ?? ''}, Safari ${safari ?? ''}`;
    expect(readme).toContain(sentence);
    expect(built).toContain(sentence);
  });

  it('has a check that finds a missing, a superfluous and an unknown host', () => {
    const policy = parsePolicy("connect-src 'self' https://a.example https://*.b.example");
    const needed = new Map([['connect-src', new Set(['x.b.example', 'c.example'])]]);
    expect(policyFaults(policy, needed)).toEqual([
      'connect-src lacks c.example',
      'connect-src allows https://a.example, which nothing contacts',
    ]);
    const text = `fetch("https://evil.example/x"); var h="new.googleapis.com"; "__/auth/handler"`;
    expect(unknownHosts(text)).toEqual(['evil.example', 'new.googleapis.com']);
    expect(neededHosts(text).get('script-src')).toEqual(new Set(['apis.google.com']));
  });
});

describe('hosting', () => {
  it('answers as the embedded backend does: files, pages, missing files and cache headers', async () => {
    const files = await readdir(dist, { recursive: true });
    const paths = new Set(files.filter((file) => file.includes('.')).map((file) => `/${file}`));
    const script = [...paths].find((path) => /^\/static\/js\/.*\.js$/.test(path)) ?? '';
    const backend = await createBackend({ dataDir: join(folder, 'data'), staticDir: dist });
    const asked = ['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/icon-192.png', script];
    const routes = ['/pets', '/pets/abc/profile', '/auth/login', '/anything/else', '/pets/'];
    const missing = ['/static/js/old.js', '/static/none', '/static/', '/no.png', '/pets/a.jpg'];
    try {
      for (const path of [...asked, ...routes, ...missing]) {
        const answer = await fetch(backend.url + path);
        await answer.body?.cancel();
        expect([path, hosting.resolve(path, paths) === null]).toEqual([path, !answer.ok]);
        const headers = hosting.headers(path);
        expect([path, headers['x-content-type-options']]).toEqual([path, 'nosniff']);
        if (!answer.ok) continue;
        // Hosting cannot tell a missing file from an existing one, so both get the same cache header.
        const kept = path.startsWith('/static/')
          ? 'public, max-age=3600'
          : answer.headers.get('cache-control');
        expect([path, headers['cache-control']]).toEqual([path, kept]);
      }
    } finally {
      await backend.stop();
    }
    expect(script).not.toBe('');
  });

  it('never lets the page answer for a function or a file', () => {
    for (const path of ['/api/transcribe', '/static/none', '/static/js/old.js', '/__/auth/x']) {
      expect([path, hosting.resolve(path, new Set())]).toEqual([path, null]);
    }
    expect(hosting.resolve('/pets/abc', new Set())).toBe('/index.html');
  });
});
