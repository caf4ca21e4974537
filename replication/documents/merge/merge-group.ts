import type { Base, EditStamps } from '../../../schemas/documents/sync-state.ts';
import { textAuthor } from '../../../schemas/documents/text-author.ts';
import type { FieldGroup } from './content.ts';
import { groupKey } from './content.ts';

/** The three states of a document, of which one group of fields is merged. */
export interface ThreeWays {
  readonly local: Base;
  /** null if the common ancestor is unknown, so that every difference is a conflict. */
  readonly base: Base | null;
  readonly server: Base;
}

/**
 * `same`: both sides have the same values. `both`: the values are united. `version` is set only if content would be lost.
 */
export interface Choice {
  readonly winner: 'local' | 'server' | 'same' | 'both';
  readonly version: 'local' | 'server' | null;
}

const taking = {
  local: { winner: 'local', version: null },
  server: { winner: 'server', version: null },
  same: { winner: 'same', version: null },
  both: { winner: 'both', version: null },
} as const satisfies Record<string, Choice>;

function groupStamp(group: FieldGroup, edits: EditStamps): number {
  return Math.max(...group.map((name) => edits[name] ?? 0));
}

/** Whether the local edit wins. Equal stamps are decided by the values, which are the same on every device. */
function isLocalLater(group: FieldGroup, { local, server }: ThreeWays): boolean {
  const difference = groupStamp(group, local.edits) - groupStamp(group, server.edits);
  if (difference !== 0) return difference > 0;
  return groupKey(group, local.fields) > groupKey(group, server.fields);
}

function chooseConflict(group: FieldGroup, ways: ThreeWays): Choice {
  const later: Choice = isLocalLater(group, ways)
    ? { winner: 'local', version: 'server' }
    : { winner: 'server', version: 'local' };
  return group.includes('transcript') ? chooseText(ways, later) : later;
}

function hasText({ fields }: Base): boolean {
  return fields['text'] !== undefined;
}

/**
 * Chooses a text: a person's words win over a machine's, and a machine's words over a machine's state without any, whatever
 * the stamps. A machine's state without a text makes no conflict version.
 */
function chooseText({ local, server }: ThreeWays, later: Choice): Choice {
  const authors = { local: textAuthor(local.fields), server: textAuthor(server.fields) };
  const areMachines = authors.local === 'machine' && authors.server === 'machine';
  if (areMachines && hasText(local) !== hasText(server)) {
    return hasText(local) ? taking.local : taking.server;
  }
  if (authors.local === 'person' && authors.server === 'machine') {
    return { winner: 'local', version: hasText(server) ? 'server' : null };
  }
  if (authors.server === 'person' && authors.local === 'machine') {
    return { winner: 'server', version: hasText(local) ? 'local' : null };
  }
  return later;
}

/**
 * Chooses a group whose old value the owner has restored. That is an edit too: the server may have the value in
 * between, from this device, if a push was never answered.
 */
function chooseTypedBack(group: FieldGroup, ways: ThreeWays, base: Base): Choice {
  const isEdited = groupStamp(group, ways.local.edits) > groupStamp(group, base.edits);
  const choice = isEdited ? chooseConflict(group, ways) : taking.server;
  // Nothing is lost if the server wins: this device's value is that of the base, which the server had too.
  return choice.winner === 'server' ? taking.server : choice;
}

/** Decides one group of fields, rules D5.1 to D5.6 and D5.12. */
export function chooseGroup(group: FieldGroup, ways: ThreeWays): Choice {
  const local = groupKey(group, ways.local.fields);
  const server = groupKey(group, ways.server.fields);
  if (local === server) return taking.same;
  if (group.includes('formerTexts')) return taking.both;
  // These are written only when the entry is created: two values come from clients that disagree about the past.
  if (group.includes('createdDate') || group.includes('type')) {
    return server === groupKey(group, {}) ? taking.local : taking.server;
  }
  const { base } = ways;
  const before = base === null ? null : groupKey(group, base.fields);
  if (base !== null && local === before) return chooseTypedBack(group, ways, base);
  return server === before ? taking.local : chooseConflict(group, ways);
}
