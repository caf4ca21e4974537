import { documentIdMaxLength } from '../../../schemas/limits.ts';

/** As the router reports it. */
function refuse(status: 400 | 405): never {
  // A thrown response carries its status to the error page.
  // oxlint-disable-next-line typescript/only-throw-error
  throw new Response(null, { status });
}

/** Firestore has no document of such an id. */
const neverAnId = /^\.{1,2}$|^__.*__$|\//;

/** Refuses an address whose ids no document can have. */
export function requireIds(ids: Readonly<Record<string, string>>): void {
  for (const id of Object.values(ids)) {
    if (neverAnId.test(id) || id.length > documentIdMaxLength) refuse(400);
  }
}

/** Refuses an address that names one half of a shared file: a share, or a file of it. */
export function requireWholeShare(search: {
  readonly share?: string;
  readonly file?: string;
}): void {
  if ((search.share === undefined) !== (search.file === undefined)) refuse(400);
}

/** The provider leads all its e-mails to one address and says what for; this page sets passwords only. */
export function requireResetMode(search: { readonly mode?: unknown }): void {
  if (search.mode !== undefined && search.mode !== 'resetPassword') refuse(405);
}
