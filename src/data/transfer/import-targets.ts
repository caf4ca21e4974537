import type { Collections } from '../collections.ts';
import { derivedId } from '../commands/derived-id.ts';

/** Where a document of a file goes on this device. */
export interface ImportTarget {
  readonly id: string;
  /**
   * - `new`: nothing is there. `known`: it is there, and stays as it is.
   * - `returning`: it was deleted here; its id is one derived from that of the tombstone, and nothing is there.
   */
  readonly state: 'new' | 'known' | 'returning';
}

export interface TargetDeps {
  readonly uid: string;
  readonly collections: Collections;
  /** The account that the file is from. */
  readonly owner: string;
}

interface Found {
  readonly isDeleted: boolean;
}

type FindAll = (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

/** As often as somebody may have deleted and brought back the same thing. */
const returnsMax = 50;

/** What every id of ours is like; a file may say anything, and the server would take a slash for a folder. */
const plainId = /^(?!__)[\w-]{1,128}$/;

/**
 * Finds for each document the one id that it has on this device, the same at every call: importing a file again meets what
 * was imported before.
 *
 * - A file of this account keeps its ids; those of another account's are derived from the old id and this account.
 * - A tombstone stays one: what comes back has the id that taking back its deletion would give it.
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

/** Dogs whose deletion has begun count as deleted. */
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
