import { documentIdMaxLength } from '../../../schemas/limits.ts';

/** Throws the response that the router turns into an error page. */
function refuse(status: 400 | 405): never {
  // A thrown response carries its status to the error page.
  // oxlint-disable-next-line typescript/only-throw-error
  throw new Response(null, { status });
}

/** Firestore does not allow these ids. */
const neverAnId = /^\.{1,2}$|^__.*__$|\//;

/** Throws for an address with ids that no document can have. */
export function requireIds(ids: Readonly<Record<string, string>>): void {
  for (const id of Object.values(ids)) {
    if (neverAnId.test(id) || id.length > documentIdMaxLength) refuse(400);
  }
}

/** Throws for an address with only one half of a shared file: the id of a share, or the id of its file. */
export function requireWholeShare(search: {
  readonly share?: string | undefined;
  readonly file?: string | undefined;
}): void {
  if ((search.share === undefined) !== (search.file === undefined)) refuse(400);
}

/**
 * Throws for other modes: the provider links all its e-mails to one address with a mode, and this page only sets
 * passwords.
 */
export function requireResetMode(search: { readonly mode?: unknown }): void {
  if (search.mode !== undefined && search.mode !== 'resetPassword') refuse(405);
}
