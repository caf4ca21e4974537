import type { Collections } from '../collections.ts';
import { derivedId } from '../../../store/derived-id.ts';

/** The place of an imported document on this device. */
export interface ImportTarget {
  readonly id: string;
  /**
   * The state of the id on this device.
   *
   * - `new`: the id is unused.
   * - `known`: the document exists and stays as it is.
   * - `returning`: the document was deleted here; the id is derived from its tombstone's id, and is unused.
   */
  readonly state: 'new' | 'known' | 'returning';
}

export interface TargetDeps {
  readonly uid: string;
  readonly collections: Collections;
  /** The account that made the file. */
  readonly owner: string;
}

interface Found {
  readonly isDeleted: boolean;
}

type FindAll = (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

/** The maximum number of times that the same document can have been deleted and restored. */
const returnsMax = 50;

/** The shape of the app's own ids. A file may hold any text, and the server would take a slash for a folder. */
const plainId = /^(?!__)[\w-]{1,128}$/;

/**
 * Finds the one id that each document has on this device. It is the same at every call, so a repeated import finds the
 * documents of the first one.
 *
 * - A file of this account keeps its ids; an id of another account is replaced by one derived from it and this account.
 * - A tombstone stays: a returning document gets the same id that undoing its deletion would give it.
 */
async function targetsOf(
  sourceIds: readonly string[],
  { uid, owner }: Pick<TargetDeps, 'uid' | 'owner'>,
  findAll: FindAll,
): Promise<ReadonlyMap<string, ImportTarget>> {
  const targets = new Map<string, ImportTarget>();
  const firstId = (id: string): Promise<string> | string =>
    owner === uid && plainId.test(id) ? id : derivedId(`${id} of ${owner} for ${uid}`);
  let open = await Promise.all(
    sourceIds.map(async (sourceId) => ({ sourceId, id: await firstId(sourceId), isReturn: false })),
  );
  for (let round = 0; open.length > 0 && round < returnsMax; round += 1) {
    const found = await findAll(open.map(({ id }) => id));
    const again: typeof open = [];
    for (const { sourceId, id, isReturn } of open) {
      const there = found.get(id);
      if (there?.isDeleted === true) {
        again.push({ sourceId, id: await derivedId(id), isReturn: true });
      } else {
        const state = there !== undefined ? 'known' : isReturn ? 'returning' : 'new';
        targets.set(sourceId, { id, state });
      }
    }
    open = again;
  }
  return targets;
}

/** Finds the targets of dogs. A dog whose deletion has begun counts as deleted. */
export async function petTargets(
  deps: TargetDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ImportTarget>> {
  const { pets, local } = deps.collections;
  const records = await local.find({ selector: { kind: 'delete-pet' } }).exec();
  const leaving = new Set(
    records.flatMap(({ data }) => (data.kind === 'delete-pet' ? [data.petId] : [])),
  );
  return targetsOf(ids, deps, async (asked) => {
    const found = await pets.findByIds([...asked]).exec();
    const entries = [...found].map(
      ([id, { deleted }]) => [id, { isDeleted: deleted || leaving.has(id) }] as const,
    );
    return new Map(entries);
  });
}

export async function entryTargets(
  deps: TargetDeps,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ImportTarget>> {
  return targetsOf(ids, deps, async (asked) => {
    const found = await deps.collections.journal_entries.findByIds([...asked]).exec();
    return new Map([...found].map(([id, { deleted }]) => [id, { isDeleted: deleted }] as const));
  });
}
