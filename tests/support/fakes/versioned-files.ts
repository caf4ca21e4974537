/**
 * A file as Storage keeps it, in memory: each upload makes a new generation, each change of the metadata a new
 * metageneration, and a request may name the ones that it expects.
 */
export interface VersionedFile {
  readonly name: string;
  readonly generation: number;
  readonly metageneration: number;
  readonly createdMs: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** The preconditions of a request; absent ones are not checked. */
export interface Expected {
  readonly name: string;
  readonly generation?: number | string | undefined;
  readonly metageneration?: number | string | undefined;
}

type Answer = 'done' | 'missing' | 'changed';
type NewFile = Partial<Pick<VersionedFile, 'metadata' | 'bytes'>>;
type PageQuery = {
  readonly prefix: string;
  readonly limit: number;
  readonly after: string | null;
  /** Files with a smaller name are left out. */
  readonly startOffset?: string;
};

export type VersionedFiles = ReturnType<typeof createVersionedFiles>;

export function createVersionedFiles(now: () => number = Date.now) {
  const files = new Map<string, VersionedFile>();
  let generation = 0;
  let longestPage = Infinity;

  const answerTo = ({ name, ...expected }: Expected): Answer => {
    const file = files.get(name);
    if (file === undefined) return 'missing';
    const isSame = (key: 'generation' | 'metageneration') =>
      expected[key] === undefined || Number(expected[key]) === file[key];
    return isSame('generation') && isSame('metageneration') ? 'done' : 'changed';
  };

  return {
    put(name: string, { metadata = {}, bytes = new Uint8Array([1, 2, 3]) }: NewFile = {}): void {
      generation += 1;
      const createdMs = now();
      files.set(name, { name, generation, metageneration: 1, createdMs, metadata, bytes });
    },
    get: (name: string): VersionedFile | null => files.get(name) ?? null,
    names: (): readonly string[] => [...files.keys()],
    /** Returns the metadata of all files, by name. */
    metadata: () =>
      Object.fromEntries([...files.values()].map(({ name, metadata }) => [name, metadata])),
    /** Makes pages shorter than requests ask for, as Storage may, until `clear`. */
    shortenPages: (length: number): void => {
      longestPage = length;
    },
    /** `next` is the last name of the page; null on the last page. */
    page({ prefix, limit, after, startOffset = '' }: PageQuery) {
      const names = [...files.keys()].toSorted().filter((name) => name >= startOffset);
      const left = names.filter((name) => name.startsWith(prefix) && name > (after ?? ''));
      const length = Math.min(limit, longestPage);
      const found = left.slice(0, length).flatMap((name) => files.get(name) ?? []);
      return { files: found, next: left.length > length ? (found.at(-1)?.name ?? null) : null };
    },
    /** Merges the metadata: null removes a key, and keys that are not named stay. */
    patch(expected: Expected, metadata: Readonly<Record<string, string | null>>): Answer {
      const answer = answerTo(expected);
      const file = files.get(expected.name);
      if (answer !== 'done' || file === undefined) return answer;
      const merged = Object.entries({ ...file.metadata, ...metadata });
      const kept = merged.flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
      files.set(file.name, {
        ...file,
        metageneration: file.metageneration + 1,
        metadata: Object.fromEntries(kept),
      });
      return answer;
    },
    delete(expected: Expected): Answer {
      const answer = answerTo(expected);
      if (answer === 'done') files.delete(expected.name);
      return answer;
    },
    clear: (): void => {
      files.clear();
      longestPage = Infinity;
    },
  };
}
