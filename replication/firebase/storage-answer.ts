import * as v from 'valibot';
import { RemoteError, type StoredFile } from '../ports.ts';
import { readJson } from './request-limit.ts';

export type FileMetadata = StoredFile & { readonly contentType: string };

const metadataSchema = v.object({
  name: v.string(),
  size: v.pipe(v.string(), v.regex(/^\d+$/)),
  md5Hash: v.string(),
  contentType: v.optional(v.string(), 'application/octet-stream'),
});

const refusalSchema = v.object({ error: v.object({}) });

/**
 * Statuses after which the same request is refused again: malformed, over quota, forbidden, too large, unsupported
 * type.
 */
const permanentStatuses: ReadonlySet<number> = new Set([400, 402, 403, 412, 413, 415, 422]);

/**
 * Converts an answer of Storage that is not OK to an error.
 *
 * - A refusal counts only if it is Storage's own: JSON with an `error`. A web page with the same status comes from
 *   something else, such as a Wi-Fi sign-in page.
 * - 401 is never a refusal of the file: the next token may be accepted.
 * @throws {RemoteError} always.
 */
export async function refusal(answer: Response): Promise<never> {
  if (answer.status === 401) throw new RemoteError('transient', 'unauthenticated');
  const isOwn = v.is(refusalSchema, await readJson(answer));
  if (!isOwn) throw new RemoteError('transient', 'not-storage');
  const kind = permanentStatuses.has(answer.status) ? 'permanent' : 'transient';
  throw new RemoteError(kind, `http-${answer.status}`);
}

/** Returns the metadata in an OK answer. @throws {RemoteError} for any other answer. */
export async function readMetadata(answer: Response): Promise<FileMetadata> {
  if (!answer.ok) return refusal(answer);
  const parsed = v.safeParse(metadataSchema, await readJson(answer));
  if (!parsed.success) throw new RemoteError('transient', 'not-storage');
  const { name, size, md5Hash, contentType } = parsed.output;
  return { objectName: name, byteLength: Number(size), md5: md5Hash, contentType };
}

/**
 * Resolves if Storage itself says that the file is gone or never existed, by either of its two statuses.
 * @throws {RemoteError} otherwise, also for a page of another server with the same status.
 */
export async function readAbsence(answer: Response): Promise<void> {
  if (answer.status === 204) return;
  if (answer.ok) throw new RemoteError('transient', 'not-storage');
  try {
    await refusal(answer);
  } catch (error) {
    if (!(error instanceof RemoteError) || error.code !== 'http-404') throw error;
  }
}
