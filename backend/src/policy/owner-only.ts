import type {
  AccessPolicy,
  AccessRequest,
  DocumentRequest,
  DocumentState,
  ListRequest,
} from '../firestore/access-policy.ts';
import { requiredEqualities } from '../firestore/query.ts';

/**
 * - Whatever is not allowed here is refused; nobody does anything without being signed in.
 * - Pets belong to their owner, journal entries to their writer, who must own the pet.
 * - Nothing of these is ever deleted: a deletion is an update that leaves a tombstone.
 * - Whatever is written takes a sequence number between the owner's old and new head, so commits are serialised by it and
 *   no device can miss one. Documents without a number (of earlier clients) may stay without.
 * - A tombstone stays one, and the head only rises.
 */
export const ownerOnly: AccessPolicy = (request) => {
  const uid = request.auth?.uid;
  if (uid === undefined) return false;
  return request.operation === 'list' ? mayList(request, uid) : mayAccess(request, uid);
};

function mayList({ query }: ListRequest, uid: string): boolean {
  const equalities = requiredEqualities(query);
  const isOwn = (field: string) => {
    const value = equalities.get(field);
    return value?.kind === 'string' && value.value === uid;
  };
  switch (collectionPattern(`${query.parent}/${query.collectionId}`, query.allDescendants)) {
    case 'pets':
      return isOwn('ownerId');
    case 'journalEntries':
      return isOwn('createdBy');
    case 'organizations':
      return true;
    default:
      return false;
  }
}

/** The collection a query reads; a group query on anything but the entries is of no collection. */
function collectionPattern(collection: string, isGroup: boolean): string | undefined {
  const path = collection.replace(/^\//, '');
  if (isGroup) return path === 'journalEntries' ? path : undefined;
  if (/^pets\/[^/]+\/journalEntries$/.test(path)) return 'journalEntries';
  return path === 'pets' || path === 'organizations' ? path : undefined;
}

function mayAccess(request: DocumentRequest, uid: string): boolean {
  const [root = '', id = '', child, , ...deeper] = request.path.split('/');
  if (deeper.length > 0) return false;
  if (root === 'pets' && child === undefined) return mayAccessOwned(request, uid, 'ownerId');
  if (root === 'pets' && child === 'journalEntries') {
    return mayAccessOwned(request, uid, 'createdBy') && mayUsePet(request, uid, id);
  }
  if (child !== undefined) return false;
  if (root === 'sync') return id === uid && mayAccessHead(request);
  return root === 'organizations' && request.operation === 'get';
}

function mayAccessHead({ operation, before, after }: DocumentRequest): boolean {
  if (operation === 'get') return true;
  const next = after?.fields.get('head');
  const epoch = after?.fields.get('epoch');
  if (next?.kind !== 'integer' || epoch?.kind !== 'string' || epoch.value === '') return false;
  const last = before?.fields.get('head');
  return next.value >= (last?.kind === 'integer' ? last.value : 0n);
}

function mayAccessOwned(request: DocumentRequest, uid: string, ownerField: string): boolean {
  const { before, after } = request;
  const isOwn = (state: DocumentState | null) =>
    state === null || stringField(state, ownerField) === uid;
  switch (request.operation) {
    case 'get':
      return isOwn(before);
    case 'create':
    case 'update':
      return (
        after !== null &&
        isOwn(before) &&
        isOwn(after) &&
        (!isTombstone(before) || isTombstone(after)) &&
        hasValidSequence(request, uid)
      );
    default:
      return false;
  }
}

function mayUsePet(request: DocumentRequest, uid: string, petId: string): boolean {
  if (request.operation === 'get') return true;
  const pet = request.getAfter(`pets/${petId}`);
  return pet !== null && stringField(pet, 'ownerId') === uid;
}

function hasValidSequence(request: DocumentRequest, uid: string): boolean {
  const before = request.before?.fields.get('seq');
  const after = request.after?.fields.get('seq');
  if (after === undefined) return before === undefined;
  if (after.kind !== 'integer') return false;
  return after.value > head(request.get, uid) && after.value <= head(request.getAfter, uid);
}

function head(get: AccessRequest['get'], uid: string): bigint {
  const value = get(`sync/${uid}`)?.fields.get('head');
  return value?.kind === 'integer' ? value.value : 0n;
}

function isTombstone(state: DocumentState | null): boolean {
  const deleted = state?.fields.get('deleted');
  return deleted?.kind === 'boolean' && deleted.value;
}

function stringField(state: DocumentState, name: string): string | undefined {
  const value = state.fields.get(name);
  return value?.kind === 'string' ? value.value : undefined;
}
