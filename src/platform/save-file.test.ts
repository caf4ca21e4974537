import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { saveFile } from './save-file.ts';

const zip = new File(['zip'], 'a.zip', { type: 'application/zip' });
const added: [object, string][] = [];

function give(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, configurable: true, writable: true });
    added.push([target, name]);
  }
}

function giveShare(share: (data: ShareData) => Promise<void>) {
  const called = vi.fn<typeof share>(share);
  give(navigator, { share: called, canShare: () => true });
  return called;
}

function fail(name: string): () => Promise<void> {
  return () => Promise.reject(new DOMException('', name));
}

let downloads: string[] = [];

beforeEach(() => {
  downloads = [];
  give(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    downloads.push(this.download);
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const [target, name] of added.splice(0)) Reflect.deleteProperty(target, name);
});

describe('a file for the owner', () => {
  it('is a download in a browser, also where files could be shared', async () => {
    const share = giveShare(async () => undefined);
    expect(await saveFile(zip)).toBe('saved');
    expect(downloads).toEqual(['a.zip']);
    expect(share).not.toHaveBeenCalled();
  });

  it('goes to the share sheet in an app on the home screen of iOS', async () => {
    give(navigator, { standalone: true });
    const share = giveShare(async () => undefined);
    expect(await saveFile(zip)).toBe('shared');
    expect(share.mock.calls).toEqual([[{ files: [zip] }]]);
    expect(downloads).toEqual([]);
  });

  it.each([
    ['NotAllowedError', 'needs-tap'],
    ['AbortError', 'cancelled'],
    ['DataError', 'failed'],
  ])('that is met with %s is %s', async (name, outcome) => {
    give(navigator, { standalone: true });
    giveShare(fail(name));
    expect(await saveFile(zip)).toBe(outcome);
  });

  it('can be read for a minute: a browser may ask first where to put it', async () => {
    vi.useFakeTimers();
    const revoke = vi.fn<(url: string) => void>();
    give(URL, { revokeObjectURL: revoke });
    await saveFile(zip);
    vi.advanceTimersByTime(59_000);
    expect(revoke).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1_000);
    expect(revoke.mock.calls).toEqual([['blob:x']]);
  });
});
