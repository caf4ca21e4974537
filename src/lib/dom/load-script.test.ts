import { expect, it } from 'vitest';
import { loadChunk } from '../async/load-chunk.ts';
import { loadScript } from './load-script.ts';

function scriptInPage(): HTMLScriptElement {
  const [script] = document.head.getElementsByTagName('script');
  if (script === undefined) throw new Error('There is no script');
  return script;
}

it('resolves to what the script has defined once it has run, and leaves no element', async () => {
  const loading = loadScript('/static/js/owner-AbCd1234.js', () => 'its exports');
  const script = scriptInPage();
  expect(new URL(script.src).pathname).toBe('/static/js/owner-AbCd1234.js');
  script.dispatchEvent(new Event('load'));
  expect(await loading).toBe('its exports');
  expect(document.head.querySelector('script')).toBeNull();
});

it.each(['error', 'load'])('fails like a module, with nothing defined by the %s', async (type) => {
  const loading = loadScript('http://localhost/static/js/owner-AbCd1234.js', () => undefined);
  scriptInPage().dispatchEvent(new Event(type));
  const chunk = loadChunk('owner-session', () => loading);
  await expect(chunk).rejects.toMatchObject({
    name: 'ChunkLoadError',
    message: 'Loading chunk owner failed',
  });
  expect(document.head.querySelector('script')).toBeNull();
});
