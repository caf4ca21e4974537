import * as v from 'valibot';
import { isLater } from './release.ts';

const packageSchema = v.object({
  current: v.optional(v.string()),
  wanted: v.string(),
  latest: v.string(),
  dependent: v.string(),
});

/** The answer of `npm outdated --json`: packages by name, with a list where several workspaces have one. */
const outdatedSchema = v.record(v.string(), v.union([packageSchema, v.array(packageSchema)]));

const failureSchema = v.object({ error: v.object({ summary: v.string() }) });

/** Its message is npm's reason. */
export class UpdateError extends Error {
  override readonly name = 'UpdateError';
}

export interface Update {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** The name of the workspace that has it; null is the root. */
  readonly workspace: string | null;
}

export interface HeldBack extends Update {
  readonly reason: string;
}

export interface Updates {
  readonly updates: readonly Update[];
  readonly heldBack: readonly HeldBack[];
}

export interface UpdateInput {
  /** The parsed answer of `npm outdated --json`. */
  readonly outdated: unknown;
  /** Why a package stays as it is, by its name. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly workspaces: readonly string[];
}

/**
 * Splits what is outdated into what is updated and what is held back. A registry may name an older version as its latest: that is none.
 * @throws {UpdateError} if npm could not ask the registry.
 */
export function planUpdates({ outdated, reasons, workspaces }: UpdateInput): Updates {
  if (v.is(failureSchema, outdated)) throw new UpdateError(outdated.error.summary);
  const found = Object.entries(v.parse(outdatedSchema, outdated)).flatMap(([name, packages]) =>
    [packages].flat().map(({ current, wanted, latest, dependent }) => ({
      name,
      from: current ?? wanted,
      to: latest,
      workspace: workspaces.includes(dependent) ? dependent : null,
    })),
  );
  const later = found.filter(({ from, to }) => isLater(to, from));
  return {
    updates: later.filter(({ name }) => reasons[name] === undefined),
    heldBack: later.flatMap((update) => {
      const reason = reasons[update.name];
      return reason === undefined ? [] : [{ ...update, reason }];
    }),
  };
}

/** The arguments of the npm commands that carry the updates out, one for each workspace. */
export function installArguments(updates: readonly Update[]): readonly (readonly string[])[] {
  const places = [...new Set(updates.map(({ workspace }) => workspace))];
  return places.map((place) => [
    'install',
    '--save-exact',
    ...(place === null ? [] : ['--workspace', place]),
    ...updates
      .filter(({ workspace }) => workspace === place)
      .map(({ name, to }) => `${name}@${to}`),
  ]);
}

function step({ name, from, to, workspace }: Update): string {
  return `${name}${workspace === null ? '' : ` (${workspace})`} ${from} → ${to}`;
}

/** One line per package, for the person who updates. */
export function updateLines({ updates, heldBack }: Updates): readonly string[] {
  if (updates.length + heldBack.length === 0) return ['Everything is up to date.'];
  return [
    ...updates.map((update) => `updated    ${step(update)}`),
    ...heldBack.map((update) => `held back  ${step(update)}: ${update.reason}`),
  ];
}
