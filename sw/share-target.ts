import { registerRoute } from 'workbox-routing';
import { writeShare } from '../replication/shares/share-database.ts';
import { newDocumentId } from '../schemas/documents/document-id.ts';
import {
  sharedFileMaxBytes,
  sharedMaxFiles,
  shareFields,
  shareNotKept,
  sharePath,
  type SharedFile,
  type SharedItem,
} from '../schemas/local/shared-item.ts';

function newId(): string {
  return newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
}

async function toSharedFile(file: File, at: number): Promise<SharedFile> {
  const { name, type: contentType } = file;
  const isKnown = /^(image|audio)\//.test(contentType);
  const isKept = isKnown && at < sharedMaxFiles && file.size <= sharedFileMaxBytes;
  return { id: newId(), name, contentType, bytes: isKept ? await file.arrayBuffer() : null };
}

async function toSharedItem(form: FormData): Promise<SharedItem> {
  const texts = [shareFields.title, shareFields.text, shareFields.url].flatMap((field) => {
    const value = form.get(field);
    return typeof value === 'string' && value.trim() !== '' ? [value] : [];
  });
  const files = form
    .getAll(shareFields.files)
    .filter((value) => value instanceof File)
    .filter(({ name, size }) => name !== '' || size > 0);
  return {
    id: newId(),
    createdAtMs: Date.now(),
    texts,
    files: await Promise.all(files.map(toSharedFile)),
  };
}

async function keep(request: Request): Promise<string> {
  try {
    const item = await toSharedItem(await request.formData());
    await writeShare(item, Date.now());
    return item.id;
  } catch {
    return shareNotKept;
  }
}

/**
 * Receives the items that other apps share. The system delivers each as a form that is posted once:
 *
 * - the item is on disk before the page opens, which finds it by a random id in its address;
 * - a failure also leads to the page, which shows it.
 */
export function takeShares(): void {
  registerRoute(
    sharePath,
    async ({ request }) => {
      return Response.redirect(`${sharePath}?share=${await keep(request)}`, 303);
    },
    'POST',
  );
}
