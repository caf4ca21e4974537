import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { registerRoute } from 'workbox-routing';
import { createShareStore } from '../replication/shares/share-store.ts';
import {
  sharedFileMaxBytes,
  sharedMaxFiles,
  shareFields,
  sharePath,
  type SharedItem,
} from '../schemas/local/shared-item.ts';
import { takeShares } from './share-target.ts';

vi.mock('workbox-routing', () => ({ registerRoute: vi.fn<() => void>() }));

/** Posts a form as the system does. @returns the item that is stored. */
async function share(form: FormData): Promise<SharedItem | null> {
  takeShares();
  const [, handler] = vi.mocked(registerRoute).mock.lastCall ?? [];
  if (typeof handler !== 'function') throw new Error('no route');
  const redirect = vi.spyOn(Response, 'redirect').mockReturnValue(new Response());
  const url = new URL(sharePath, 'https://pawpals.example');
  const request = Object.assign(new Request(url), { formData: async () => form });
  await handler({ request, url, event: new Event('fetch') });
  const [address] = redirect.mock.lastCall ?? [];
  const id = new URL(address ?? '', url).searchParams.get('share') ?? '';
  return createShareStore('robin', Date.now).read(id);
}

function fileOf(name: string, type = 'image/jpeg', size?: number): File {
  const file = new File(['bytes'], name, { type });
  return size === undefined ? file : Object.defineProperty(file, 'size', { value: size });
}

/** @returns for each file that is shared whether its bytes are kept. */
async function kept(...files: readonly File[]): Promise<readonly boolean[]> {
  const form = new FormData();
  for (const file of files) form.append(shareFields.files, file);
  const item = await share(form);
  return (item?.files ?? []).map(({ bytes }) => bytes !== null);
}

describe('files that another app shares', () => {
  it('are kept up to their number; of the others, the names are', async () => {
    const files = Array.from({ length: sharedMaxFiles + 2 }, (_, at) =>
      fileOf(`${String(at)}.jpg`),
    );
    expect(await kept(...files)).toEqual([
      ...Array.from({ length: sharedMaxFiles }, () => true),
      false,
      false,
    ]);
  });

  it('are kept up to their size', async () => {
    const sizes = [sharedFileMaxBytes, sharedFileMaxBytes + 1];
    const files = sizes.map((size) => fileOf('a.jpg', 'image/jpeg', size));
    expect(await kept(...files)).toEqual([true, false]);
  });

  it('are kept if they are pictures or audio', async () => {
    const types = ['image/png', 'audio/ogg', 'video/mp4', 'text/plain', ''];
    const files = types.map((type) => fileOf('a', type));
    expect(await kept(...files)).toEqual([true, true, false, false, false]);
  });

  it('are none where the form has an empty field for them', async () => {
    const form = new FormData();
    form.append(shareFields.files, new File([], ''));
    form.append(shareFields.title, ' ');
    form.append(shareFields.text, 'Look');
    expect(await share(form)).toMatchObject({ texts: ['Look'], files: [] });
  });
});
