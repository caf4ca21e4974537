import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './seeded-tree.ts';

/** The folders whose tests cite rules of replication/SPEC.md, by titles that begin with the rule's id. */
const folders = ['replication', 'store', 'src/data', 'tests/contract', 'tests/integration'];

function testFiles(folder: string): string[] {
  const all = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((path) => path.endsWith('.test.ts')).map((path) => join(root, folder, path));
}

/** Returns the names of the test files that cite each rule. */
function citations(texts: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const namesById = new Map<string, Set<string>>();
  for (const [name, text] of texts) {
    for (const [, ids = ''] of text.matchAll(/['"`]((?:[DO]\d+\.\d+ )+)/g)) {
      for (const id of ids.trim().split(' ')) {
        namesById.set(id, (namesById.get(id) ?? new Set()).add(name));
      }
    }
  }
  return namesById;
}

/** Returns the test files that the specification names for each rule, in brackets at the rule's end. */
function rules(specification: string): Map<string, Set<string>> {
  const found = specification.matchAll(/^- \*\*([DO]\d+\.\d+)\*\* .*?\[([^\]]*)\]$/gms);
  return new Map([...found].map(([, id = '', names = '']) => [id, new Set(names.split(/,\s+/))]));
}

function findFaults(specification: string, texts: ReadonlyMap<string, string>): string[] {
  const cited = citations(texts);
  const known = rules(specification);
  const declared = [...specification.matchAll(/^- \*\*([DO]\d+\.\d+)\*\*/gm)].map(
    ([, id = '']) => id,
  );
  const sorted = (names: Iterable<string> | undefined): string =>
    [...(names ?? [])].toSorted().join();
  return [
    ...declared.filter((id) => !cited.has(id)).map((id) => `${id} has no test`),
    ...[...cited.keys()].filter((id) => !declared.includes(id)).map((id) => `${id} is no rule`),
    ...declared
      .filter((id) => cited.has(id) && sorted(cited.get(id)) !== sorted(known.get(id)))
      .map((id) => `${id} is tested in ${sorted(cited.get(id))}`),
  ];
}

describe('replication/SPEC.md', () => {
  it('has a test for every rule, a rule for every citation, and names the tests', () => {
    const texts = new Map(
      folders
        .flatMap(testFiles)
        .map((path) => [basename(path, '.test.ts'), readFileSync(path, 'utf8')]),
    );
    const specification = readFileSync(join(root, 'replication/SPEC.md'), 'utf8');
    expect(rules(specification).size).toBeGreaterThan(50);
    expect(findFaults(specification, texts)).toEqual([]);
  });

  it('has a check that finds seeded faults', () => {
    const lines = ['D1.1** One. [a]', 'D1.2** Two. [a]', 'D1.3** Three. [b]', 'D1.4** Four. []'];
    const specification = lines.map((line) => `- **${line}\n`).join('');
    const texts = new Map([['a', `it('D1.1 x'); it('D9.9 y'); it('D1.3 D1.4 z')`]]);
    const faults = [
      'D1.2 has no test',
      'D9.9 is no rule',
      'D1.3 is tested in a',
      'D1.4 is tested in a',
    ];
    expect(findFaults(specification, texts)).toEqual(faults);
  });
});
