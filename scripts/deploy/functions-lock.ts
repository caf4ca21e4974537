import * as v from 'valibot';

const packageNames = v.exactOptional(v.record(v.string(), v.string()));

const entrySchema = v.looseObject({
  dependencies: packageNames,
  optionalDependencies: packageNames,
  peerDependencies: packageNames,
  peerDependenciesMeta: v.exactOptional(v.record(v.string(), v.unknown())),
});

const lockSchema = v.object({
  lockfileVersion: v.literal(3),
  packages: v.record(v.string(), entrySchema),
});

type Entry = v.InferOutput<typeof entrySchema>;
type Packages = Readonly<Record<string, Entry>>;

/** Returns the required packages, without optional peers, which the dependent installs if it needs them. */
function namesNeededBy(entry: Entry): readonly string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entry;
  const optionalPeers = Object.keys(peerDependenciesMeta ?? {});
  const peers = Object.keys(peerDependencies ?? {});
  return [
    ...Object.keys(dependencies ?? {}),
    ...Object.keys(optionalDependencies ?? {}),
    ...peers.filter((name) => !optionalPeers.includes(name)),
  ];
}

/** Returns the nearest `node_modules` above the importing folder that has the package. */
function placeOf(packages: Packages, name: string, from: string): string | null {
  if (from === '') return `node_modules/${name}` in packages ? `node_modules/${name}` : null;
  const place = `${from}/node_modules/${name}`;
  if (place in packages) return place;
  return placeOf(packages, name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))));
}

/**
 * Returns the lock file that is uploaded with the functions. npm keeps one for all workspaces at the root, which is not
 * uploaded; without one the cloud would install the newest versions of the day.
 *
 * - It names the versions of the root's lock file, which the tests run with.
 * - It contains only the functions' dependencies.
 * @param rootLock the text of the root's package-lock.json.
 * @param workspace the folder of the functions.
 * @throws {Error} if two versions of a package need the same place.
 */
export function functionsLock(rootLock: string, workspace: string): string {
  const { packages, lockfileVersion } = v.parse(lockSchema, JSON.parse(rootLock));
  const own = packages[workspace];
  if (own === undefined) throw new Error(`package-lock.json has no workspace ${workspace}.`);
  const taken = new Map<string, Entry>();
  const take = (entry: Entry, from: string): void => {
    for (const name of namesNeededBy(entry)) {
      const place = placeOf(packages, name, from);
      const found = place === null ? undefined : packages[place];
      // The lock file lacks optional packages for other platforms.
      if (place === null || found === undefined) continue;
      const moved = place.replace(`${workspace}/node_modules/`, 'node_modules/');
      const other = taken.get(moved);
      if (other === found) continue;
      if (other !== undefined) throw new Error(`Two versions need the place ${moved}.`);
      taken.set(moved, found);
      take(found, place);
    }
  };
  take(own, workspace);
  const sorted = [...taken].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const { name, version } = own;
  const lock = {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': own, ...Object.fromEntries(sorted) },
  };
  return `${JSON.stringify(lock, null, 2)}\n`;
}
