import type { Rolldown } from 'vite';

/** A phase in which code is loaded, with the folders of the modules whose dynamic import begins it. */
export type Phase = readonly [name: string, folders: RegExp];

/**
 * Returns the group of a module. If the page loads it at once, or both the first screen of a signed-in owner and the
 * sign-in need it, it belongs to the start; if only one of these needs it, it belongs to that one. Otherwise it belongs
 * to its only phase, or to the chunk that several later phases share. A module that only one rare import needs has no
 * group.
 */
export function phaseOf(
  id: string,
  graph: Rolldown.ChunkingContext,
  phases: readonly Phase[],
): string | null {
  const needing = new Set([id]);
  const found = new Set<string>();
  // Iteration over a set includes members that are added meanwhile.
  for (const each of needing) {
    const {
      isEntry = false,
      importers = [],
      dynamicImporters = [],
    } = graph.getModuleInfo(each) ?? {};
    if (isEntry) return 'start';
    for (const importer of importers) needing.add(importer);
    const phase = phases.find(([, folders]) => folders.test(each))?.[0] ?? each;
    if (dynamicImporters.length > 0) found.add(phase);
  }
  const [only = null, ...others] = found;
  if (found.has('owner')) return found.has('account') ? 'start' : 'owner';
  if (found.has('account')) return 'account';
  return others.length > 0 ? 'later' : only;
}
