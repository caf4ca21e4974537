import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { deployArguments, firebaseTools } from './firebase-tools.ts';

/**
 * The arguments that firebase-tools accepts, from a file, since it is too large to install for a test. If
 * `PAWPALS_FIREBASE_TOOLS` is the folder of an installed one, the file is compared with it.
 */
const options = v.array(v.string());
const definitionSchema = v.object({
  version: v.string(),
  options,
  targets: v.array(v.string()),
  commands: v.record(v.string(), options),
});

type Definition = v.InferOutput<typeof definitionSchema>;

const repository = (path: string): string =>
  fileURLToPath(new URL(`../../${path}`, import.meta.url));

const readKept = async (): Promise<Definition> =>
  v.parse(
    definitionSchema,
    JSON.parse(await readFile(repository('tests/fixtures/firebase-tools.json'), 'utf8')),
  );

const cliSchema = v.object({
  cli: v.object({ options: v.array(v.object({ flags: v.string() })) }),
});
const commandSchema = v.object({
  command: v.object({ options: v.array(v.looseTuple([v.string()])) }),
});

function readInstalled(folder: string, commands: readonly string[]): Definition {
  const load = createRequire(`${folder}/package.json`);
  const { version } = v.parse(v.object({ version: v.string() }), load('./package.json'));
  const { cli } = v.parse(cliSchema, load('./lib/index.js'));
  const deploy = v.object({ VALID_DEPLOY_TARGETS: v.array(v.string()) });
  const { VALID_DEPLOY_TARGETS: targets } = v.parse(deploy, load('./lib/deploy/index.js'));
  const optionsOf = (name: string) =>
    v
      .parse(commandSchema, load(`./lib/commands/${name.replaceAll(':', '-')}.js`))
      .command.options.map(([flags]) => flags);
  return {
    version,
    options: cli.options.map(({ flags }) => flags),
    targets,
    commands: Object.fromEntries(commands.map((name) => [name, optionsOf(name)])),
  };
}

/** @returns the words that the command does not accept. */
function unknownWords(words: readonly string[], { options: common, commands }: Definition) {
  const [name = '', ...rest] = words;
  const known = [...common, ...(commands[name] ?? [])].flatMap((flags) => {
    const takesValue = /[<[]/.test(flags);
    return [...flags.matchAll(/(?<=^|, )--?[a-z-]+/gi)].map(
      ([flag]) => [flag, takesValue] as const,
    );
  });
  const flags = new Map(known);
  const unknown = name in commands ? [] : [name];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (flags.get(word) === true) at += 1;
    else if (word.startsWith('-') && !flags.has(word)) unknown.push(word);
  }
  return unknown;
}

it('the kept arguments are those of the version that is deployed with', async () => {
  const kept = await readKept();
  const folder = process.env['PAWPALS_FIREBASE_TOOLS'];
  expect(firebaseTools).toBe(`firebase-tools@${kept.version}`);
  const installed = folder === undefined ? kept : readInstalled(folder, Object.keys(kept.commands));
  expect(kept).toEqual(installed);
});

it('a deployment names arguments and services that the command line knows', async () => {
  const kept = await readKept();
  const [agreed, tool, ...words] = deployArguments('my-dogs');
  expect([agreed, tool]).toEqual(['--yes', firebaseTools]);
  expect(unknownWords(words, kept)).toEqual([]);
  const services = (words[words.indexOf('--only') + 1] ?? '').split(',');
  expect(services.filter((service) => !kept.targets.includes(service))).toEqual([]);
  const config: unknown = JSON.parse(await readFile(repository('firebase.json'), 'utf8'));
  const described = Object.keys(Object(config)).filter((name) => kept.targets.includes(name));
  expect(services.toSorted()).toEqual(described.toSorted());
});

it('the documents name no other version, and no argument that it does not know', async () => {
  const kept = await readKept();
  const text = await readFile(repository('docs/deploy.md'), 'utf8');
  const lines = [...text.matchAll(/firebase-tools@(\S+) ([^\n`]+)/g)];
  expect(lines.length).toBeGreaterThan(0);
  for (const [line, version, words = ''] of lines) {
    expect([line, version]).toEqual([line, kept.version]);
    expect([line, unknownWords(words.split(' '), kept)]).toEqual([line, []]);
  }
});

it('an unknown argument is found', async () => {
  const kept = await readKept();
  expect(unknownWords(['deploy', '--forced', '--project', '--x'], kept)).toEqual(['--forced']);
  expect(unknownWords(['depoly'], kept)).toEqual(['depoly']);
});
