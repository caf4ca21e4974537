import { expect, it } from 'vitest';
import { collectGarbage } from '../../../tests/support/collect-garbage.ts';
import { databaseNames } from '../../../tests/support/test-database.ts';
import { decodeRecord, encodeRecord } from './document-record.ts';

const characters = 1_000_000;

/** Returns the path and the name of a decoded document, whose stored text nobody else keeps. */
function decodedNames(at: number) {
  const path = `pets/rex/journalEntries/entry-${at}`;
  const fields = new Map([['text', { kind: 'string', value: 'x'.repeat(characters) } as const]]);
  const [createVersion, updateVersion, name] = [1, 1, databaseNames.toName(path)];
  const stored = { path, name, fields, createVersion, updateVersion, owner: 'alice' };
  // As text that was read from the disk.
  const text = Buffer.from(encodeRecord(stored)).toString();
  const decoded = decodeRecord(text, databaseNames);
  return [decoded.path, decoded.name];
}

it('the path of a document does not keep its text in memory', () => {
  const heapUsed = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapUsed();
  const kept = Array.from({ length: 50 }, (_, at) => decodedNames(at));
  expect(heapUsed() - before).toBeLessThan((kept.length * characters) / 4);
  expect(kept.at(-1)?.[0]).toBe('pets/rex/journalEntries/entry-49');
});
