import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { installArguments, planUpdates, UpdateError, updateLines } from './updates.ts';

const of = (current: string, latest: string, dependent = 'pawpals') => ({
  current,
  wanted: current,
  latest,
  dependent,
});

const plan = (outdated: unknown, reasons = {}) =>
  planUpdates({ outdated, reasons, workspaces: ['backend', 'functions'] });

describe('an update of the dependencies', () => {
  it('takes the newest versions, per workspace and exactly', () => {
    const { updates } = plan({
      knip: of('6.42.0', '6.44.2'),
      jose: [of('6.2.17', '6.2.18', 'backend'), of('6.2.17', '6.2.18', 'functions')],
    });
    expect(installArguments(updates)).toEqual([
      ['install', '--save-exact', 'knip@6.44.2'],
      ['install', '--save-exact', '--workspace', 'backend', 'jose@6.2.18'],
      ['install', '--save-exact', '--workspace', 'functions', 'jose@6.2.18'],
    ]);
  });

  it('leaves what is held back, and says why', () => {
    const plans = plan({ vitest: of('4.1.12', '5.0.1') }, { vitest: 'It needs Node 22.' });
    expect(installArguments(plans.updates)).toEqual([]);
    expect(updateLines(plans)).toEqual(['held back  vitest 4.1.12 → 5.0.1: It needs Node 22.']);
  });

  it('takes no version that is older, or no release', () => {
    const plans = plan({
      older: of('8.5.2', '7.6.9'),
      early: of('1.0.0', '2.0.0-beta.1'),
    });
    expect(plans.updates).toEqual([]);
    expect(updateLines(plans)).toEqual(['Everything is up to date.']);
  });

  it('is refused with npm’s reason where the registry does not answer', () => {
    const summary = 'request to https://registry.example/knip failed';
    const answer = { error: { code: 'ENOTFOUND', summary, detail: '' } };
    expect(() => plan(answer)).toThrow(new UpdateError(summary));
  });

  it('counts a package that is not installed by the version that is wanted', () => {
    const { updates } = plan({
      knip: { wanted: '6.42.0', latest: '6.44.2', dependent: 'pawpals' },
    });
    expect(updateLines({ updates, heldBack: [] })).toEqual(['updated    knip 6.42.0 → 6.44.2']);
  });
});

it('each package that is held back is one of ours', async () => {
  const json = async (path: string): Promise<object> =>
    JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
  const manifests = await Promise.all(
    ['../../package.json', '../../backend/package.json', '../../functions/package.json'].map(json),
  );
  const names = manifests.flatMap((manifest) =>
    ['dependencies', 'devDependencies'].flatMap((kind) =>
      Object.keys(Reflect.get(manifest, kind) ?? {}),
    ),
  );
  const held = Object.keys(await json('./held-back.json'));
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter((name) => !names.includes(name))).toEqual([]);
});
