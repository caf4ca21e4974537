import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { firestoreRules } from '../../tests/support/rules-kit.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { silentLog, type Log, type LogFields } from '../log.ts';
import { readRules } from './read-rules.ts';

const allowing = (condition: string) =>
  firestoreRules(`match /{any=**} {\n  allow get: if ${condition};\n}`);

it('a file of rules that is broken or missing is an error', async () => {
  const file = join(await tempFolder(), 'firestore.rules');
  const read = () => readRules(file, 'cloud.firestore', silentLog);
  await expect(read()).rejects.toThrow('ENOENT');
  await writeFile(file, allowing('owner'));
  await expect(read()).rejects.toThrow('firestore.rules:4:17: There is no');
  await writeFile(file, allowing('true'));
  expect((await read()).allowLines).toHaveLength(1);
});

it('rules that are not given lock everything, with one line in the log', async () => {
  const lines: { event: string; fields: LogFields }[] = [];
  const add = (event: string, fields: LogFields = {}) => void lines.push({ event, fields });
  const log: Log = { info: add, warn: add, error: add };
  const rules = await readRules(undefined, 'cloud.firestore', log);
  const fields = { service: 'cloud.firestore' };
  expect(lines).toEqual([{ event: 'no rules: clients may read and write nothing', fields }]);
  expect(rules.allowLines).toEqual([]);
});
