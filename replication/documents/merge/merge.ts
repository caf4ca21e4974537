import {
  contentFieldNames,
  fieldGroups,
  newerSchemaCode,
  type LocalDocument,
} from '../../../schemas/documents/document.ts';
import { uniteFormerTexts } from '../../../schemas/documents/former-texts.ts';
import type { ConflictVersion } from '../../../schemas/local/local-record.ts';
import { conflictVersion } from '../../../schemas/local/conflict-version.ts';
import type { Base, FieldValue } from '../../../schemas/documents/sync-state.ts';
import type { RemoteDocument } from '../../ports.ts';
import type { Content, FieldGroup } from './content.ts';
import { baseOf, sameContent, sameFields } from './content.ts';
import { chooseGroup } from './merge-group.ts';

interface Merged {
  readonly document: LocalDocument;
  /** The conflict versions, to be stored before the document or in the same commit. */
  readonly versions: readonly ConflictVersion[];
}

type Side = ConflictVersion['side'];

function isUnreadable(server: RemoteDocument): boolean {
  // A tombstone has no content, so there is nothing in it that a newer schema could have changed.
  return server.newerSchema && !server.deleted;
}

/** A clean copy of the server's state. A document without a seq is pending, so that the next push gives it one. */
function fromServer(server: RemoteDocument, rev: number): LocalDocument {
  const { collection, id, petId, ownerId, fields, edits, deleted, seq } = server;
  const identity = { collection, id, petId, ownerId };
  const code = isUnreadable(server) ? newerSchemaCode : null;
  const waits = seq === 0 && code === null;
  const base = waits ? baseOf(server) : null;
  return { ...identity, fields, edits, deleted, pending: waits ? 1 : 0, seq, base, rev, code };
}

function isNothingNew(local: LocalDocument, server: RemoteDocument): boolean {
  // A copy that this client could not read before is taken again once it can.
  if (local.seq === null || local.code === newerSchemaCode) return false;
  // An edit over a copy that this client cannot read is parked, even if the server has nothing new.
  if (isUnreadable(server) && local.pending === 1 && !local.deleted) return false;
  if (server.seq !== local.seq) return server.seq < local.seq;
  // A document without a seq may change without getting a new one, so its content is compared.
  if (local.seq === 0) return local.base !== null && sameFields(local.base.fields, server.fields);
  // An edit that restores the old value is no edit.
  return local.pending === 0 || !sameContent(local, server);
}

/**
 * Whether a merge unparks the document: this client can read the server's copy now, the server has it under another dog,
 * or the refused edit has lost the merge.
 */
function isUnparkedBy(local: LocalDocument, server: RemoteDocument, content: Content): boolean {
  if (local.code === newerSchemaCode || local.petId !== server.petId) return true;
  return local.code?.startsWith('refused:') === true && !sameContent(local, content);
}

/** The document with this content, forked from the server's state. */
function forked(local: LocalDocument, server: RemoteDocument, content: Content): LocalDocument {
  if (sameContent(content, server)) return fromServer(server, local.rev);
  const isFreed = isUnparkedBy(local, server, content);
  const pending = isFreed ? 1 : local.pending;
  const code = isFreed ? null : local.code;
  const { petId, seq } = server;
  return { ...local, ...content, petId, seq, base: baseOf(server), pending, code };
}

const tombstone: Content = { fields: {}, edits: {}, deleted: true };

function mergeDeleted(local: LocalDocument, server: RemoteDocument, nowMs: number): Merged {
  const document = forked(local, server, tombstone);
  if (local.deleted && server.deleted) return { document, versions: [] };
  const side: Side = server.deleted ? 'local' : 'server';
  const { fields, edits } = side === 'local' ? local : server;
  const isUntouched = local.base !== null && sameFields(fields, local.base.fields);
  const lost = { fields, edits, reason: 'deleted', side } as const;
  return { document, versions: isUntouched ? [] : [conflictVersion(server, lost, nowMs)] };
}

/** The content that a merge assembles, group by group. */
interface Draft {
  readonly fields: Record<string, FieldValue>;
  readonly edits: Record<string, number>;
}

function copyGroup(group: FieldGroup, from: Base, to: Draft): void {
  for (const name of group) {
    const value = from.fields[name];
    if (value !== undefined) to.fields[name] = value;
    const stamp = from.edits[name];
    if (stamp !== undefined) to.edits[name] = stamp;
  }
}

/** The server's stamps of fields that this client does not know, which are kept as they are. */
function unknownEdits(server: RemoteDocument): Record<string, number> {
  const known = new Set<string>(contentFieldNames[server.collection]);
  return Object.fromEntries(Object.entries(server.edits).filter(([name]) => !known.has(name)));
}

function highestStamps(local: Content, server: Content): Content {
  const edits = { ...local.edits };
  for (const [name, stamp] of Object.entries(server.edits)) {
    edits[name] = Math.max(stamp, edits[name] ?? 0);
  }
  return { ...local, edits };
}

/** The union of both sides' former texts, with the later stamp of each field. */
function united(local: Content, server: Content): Content {
  const formerTexts = uniteFormerTexts(local.fields['formerTexts'], server.fields['formerTexts']);
  return { ...highestStamps(local, server), fields: { ...local.fields, formerTexts } };
}

function mergeFields(local: LocalDocument, server: RemoteDocument, nowMs: number): Merged {
  const result: Draft = { fields: {}, edits: unknownEdits(server) };
  const lost: Record<Side, Draft> = {
    local: { fields: {}, edits: {} },
    server: { fields: {}, edits: {} },
  };
  const sides = { local, server, same: highestStamps(local, server) };
  for (const group of fieldGroups[local.collection]) {
    const choice = chooseGroup(group, { local, base: local.base, server });
    const winner = choice.winner === 'both' ? united(local, server) : sides[choice.winner];
    copyGroup(group, winner, result);
    if (choice.version !== null) {
      const kept = lost[choice.version];
      copyGroup(group, sides[choice.version], kept);
      // A stamp for every field tells a cleared field from one that did not lose.
      for (const name of group) kept.edits[name] ??= 0;
    }
  }
  const versions = (['local', 'server'] as const)
    .filter((side) => Object.keys(lost[side].edits).length > 0)
    .map((side) => {
      const { fields, edits } = lost[side];
      const { createdDate } = result.fields;
      // An entry keeps its time, also if it is restored from the version after it was deleted.
      const kept = createdDate === undefined ? fields : { createdDate, ...fields };
      const version = { fields: kept, edits, reason: 'other-edit', side } as const;
      return conflictVersion(server, version, nowMs);
    });
  return { document: forked(local, server, { ...result, deleted: false }), versions };
}

/**
 * Whether it is a tombstone that was never pushed, because the server had no such document. If one appears, the
 * deletion counts.
 */
function isObsoleteTombstone(local: LocalDocument): boolean {
  return local.deleted && local.pending === 0 && local.seq === null;
}

/**
 * Merges the server's document into this device's copy.
 *
 * - Pure: the same three states (local, base, server) give the same result on every device and after every crash.
 * - A field that changed on one side only takes that side's value. Where both sides changed it, the losing value is
 *   returned as a conflict version, so nothing is dropped.
 * - A deletion wins over every edit, and the edit is returned as a conflict version.
 * - The result records exactly what the server lacks: it is clean if nothing, else pending with the server's state as
 *   base.
 * - `rev` stays: it counts the owner's edits, not merges.
 */
export function mergeRemote(
  local: LocalDocument | null,
  server: RemoteDocument,
  nowMs: number,
): Merged {
  if (local === null) return { document: fromServer(server, 0), versions: [] };
  if (isObsoleteTombstone(local)) return mergeDeleted({ ...local, pending: 1 }, server, nowMs);
  if (isNothingNew(local, server)) return { document: local, versions: [] };
  if (local.pending === 0) return { document: fromServer(server, local.rev), versions: [] };
  // Base and seq stay those of the fork, so that a client version that can read the server's copy merges with the true
  // ancestor.
  if (isUnreadable(server) && !local.deleted) {
    return { document: { ...local, pending: 2, code: newerSchemaCode }, versions: [] };
  }
  if (local.deleted || server.deleted) return mergeDeleted(local, server, nowMs);
  return mergeFields(local, server, nowMs);
}
