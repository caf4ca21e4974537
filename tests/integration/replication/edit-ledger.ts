import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { refKey } from '../../../replication/ports.ts';

/** An edit that a device acknowledged to its owner. Its value is a unique token, so it can be found again. */
export interface Edit {
  readonly token: string;
  /** See {@link refKey}. */
  readonly key: string;
  readonly field: string;
  /** The value that it replaced on its device; null if there was none. */
  readonly parent: string | null;
  readonly author: 'person' | 'machine';
}

/** The acknowledged actions of an owner, by which every history is judged. */
export interface EditLedger {
  newToken(mark?: string): string;
  record(edit: Edit): void;
  created(document: LocalDocument): void;
  /** Records a deletion. @param shown the document as its device showed it at that moment. */
  deleted(shown: LocalDocument): void;
  /** Records that a field was cleared on a device that showed this value. */
  cleared(token: string | null): void;
  edits(): readonly Edit[];
  createdKeys(): ReadonlySet<string>;
  deletedKeys(): ReadonlySet<string>;
  /** Returns whether the edit was replaced, cleared or deleted on a device that showed it. */
  isSuperseded(token: string): boolean;
  /** Returns the tokens of edits that replaced this one, directly or through others. */
  descendants(token: string): ReadonlySet<string>;
}

export function createEditLedger(): EditLedger {
  const edits: Edit[] = [];
  const createdKeys = new Set<string>();
  const deletedKeys = new Set<string>();
  const hidden = new Set<string>();
  let tokens = 0;

  const children = (token: string): string[] =>
    edits.filter(({ parent }) => parent === token).map((edit) => edit.token);

  const descendants = (token: string): Set<string> => {
    const found = new Set<string>();
    const open = children(token);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(...children(next));
    }
    return found;
  };

  return {
    newToken: (mark = '') => {
      tokens += 1;
      return `v${String(tokens)}${mark}`;
    },
    record: (edit) => {
      edits.push(edit);
    },
    created: (document) => {
      createdKeys.add(refKey(document));
    },
    deleted: (shown) => {
      deletedKeys.add(refKey(shown));
      for (const value of Object.values(shown.fields)) hidden.add(String(value));
    },
    cleared: (token) => {
      if (token !== null) hidden.add(token);
    },
    edits: () => edits,
    createdKeys: () => createdKeys,
    deletedKeys: () => deletedKeys,
    isSuperseded: (token) => hidden.has(token) || children(token).length > 0,
    descendants,
  };
}
