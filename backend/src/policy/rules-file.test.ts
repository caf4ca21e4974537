import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { firestoreRules, authorizeGet } from '../../tests/support/rules-kit.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import type { Log, LogFields } from '../log.ts';
import { openRulesFile } from './rules-file.ts';

const allowing = (condition: string) =>
  firestoreRules(`match /{any=**} {\n  allow get: if ${condition};\n}`);

function createLog() {
  const lines: { event: string; fields: LogFields }[] = [];
  const add = (event: string, fields: LogFields = {}) => void lines.push({ event, fields });
  const log: Log = { info: add, warn: add, error: add };
  return { log, lines };
}

async function openIn(source: string) {
  const file = join(await tempFolder(), 'firestore.rules');
  await writeFile(file, source);
  const clock = createManualClock();
  const { log, lines } = createLog();
  const rules = await openRulesFile({ file, service: 'cloud.firestore', clock, log });
  onTestFinished(() => rules.stop());
  let changes = 0;
  rules.onChange(() => (changes += 1));
  /** Retries a check. A look at the file begins only after the previous one has read it. */
  const look = (check: () => void) =>
    eventually(() => {
      clock.advance(1000);
      check();
    });
  /** Replaces the file atomically, since a look may be in progress. */
  const replace = async (next: string) => {
    await writeFile(`${file}.new`, next);
    await rename(`${file}.new`, file);
  };
  return { file, clock, replace, look, lines, rules, changes: () => changes };
}

describe('a rules file', () => {
  it('that changes is in force after the next look, also when it was replaced', async () => {
    const { clock, replace, look, rules, changes, lines } = await openIn(allowing('false'));
    const before = rules.current();
    clock.advance(1000);
    expect(rules.current()).toBe(before);
    await replace(allowing('true'));
    await look(() => expect(changes()).toBe(1));
    expect(rules.current()).not.toBe(before);
    expect(lines.map(({ event }) => event)).toEqual(['rules changed']);
  });

  it('that is broken later is refused with its sentence, and the rules in force stay', async () => {
    const { replace, look, rules, changes, lines } = await openIn(allowing('true'));
    const before = rules.current();
    await replace(allowing('owner'));
    await look(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toEqual({
      event: 'rules refused',
      fields: {
        service: 'cloud.firestore',
        file: 'firestore.rules',
        line: 4,
        column: 17,
        sentence: 'There is no variable "owner" here.',
      },
    });
    expect(rules.current()).toBe(before);
    await replace(allowing('false'));
    await look(() => expect(changes()).toBe(1));
    expect(lines).toHaveLength(2);
  });

  it('that vanishes leaves the rules in force, and is told once', async () => {
    const { file, clock, replace, look, rules, lines, changes } = await openIn(allowing('true'));
    const before = rules.current();
    await rm(file);
    await look(() => expect(lines).toHaveLength(1));
    const gone = { event: 'rules refused', fields: { code: 'ENOENT' } };
    expect(lines).toMatchObject([gone]);
    expect(rules.current()).toBe(before);
    for (let again = 0; again < 10; again += 1) {
      clock.advance(1000);
      await readdir(dirname(file));
    }
    await replace(allowing('false'));
    await look(() => expect(changes()).toBe(1));
    expect(lines).toMatchObject([gone, { event: 'rules changed' }]);
    await rm(file);
    await look(() => expect(lines).toHaveLength(3));
    expect(lines[2]).toMatchObject(gone);
  });

  it('that is broken or missing at the start is an error', async () => {
    await expect(openIn(allowing('owner'))).rejects.toThrow('firestore.rules:4:17: There is no');
    const { log } = createLog();
    const deps = { service: 'cloud.firestore', clock: createManualClock(), log } as const;
    await expect(openRulesFile({ ...deps, file: '/no/such.rules' })).rejects.toThrow('ENOENT');
  });

  it('that is not given locks everything, with one line in the log', async () => {
    const { log, lines } = createLog();
    const rules = await openRulesFile({
      file: undefined,
      service: 'cloud.firestore',
      clock: createManualClock(),
      log,
    });
    expect(lines).toEqual([
      {
        event: 'no rules: clients may read and write nothing',
        fields: { service: 'cloud.firestore' },
      },
    ]);
    expect(rules.current().allowLines).toEqual([]);
    expect(authorizeGet(firestoreRules('')).isAllowed).toBe(false);
  });
});
