import { expect, it } from 'vitest';
import { loadChunk } from '../async/load-chunk.ts';
import { loadScript } from './load-script.ts';

function scriptInPage(): HTMLScriptElement {
  const [script] = document.head.getElementsByTagName('script');
  if (script === undefined) throw new Error('There is no script');
  return script;
}

it('resolves once the script has run, and leaves no element', async () => {
  const loading = loadScript('/static/js/owner-AbCd1234.js');
  const script = scriptInPage();
  expect(new URL(script.src).pathname).toBe('/static/js/owner-AbCd1234.js');
  script.dispatchEvent(new Event('load'));
  await loading;
  expect(document.head.querySelector('script')).toBeNull();
});

it('fails like a module that does not load', async () => {
  const loading = loadScript('http://localhost/static/js/owner-AbCd1234.js');
  scriptInPage().dispatchEvent(new Event('error'));
  const chunk = loadChunk('owner-session', () => loading);
  await expect(chunk).rejects.toMatchObject({
    name: 'ChunkLoadError',
    message: 'Loading chunk owner failed',
  });
  expect(document.head.querySelector('script')).toBeNull();
});
