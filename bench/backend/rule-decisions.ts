import { readFile } from 'node:fs/promises';
import type { DocumentRequest, DocumentState } from '../../backend/src/firestore/access-policy.ts';
import type { Value } from '../../backend/src/firestore/values/value.ts';
import { createFirestoreRules } from '../../backend/src/policy/firestore-rules.ts';
import { compileRules } from '../../backend/src/rules/compile/compile-rules.ts';
import { deployedFiles } from '../../tests/support/built-app/deployed-files.ts';

const decisions = 5_000;
const rounds = 5;
const msPerSecond = 1_000;
const time = {
  kind: 'timestamp',
  seconds: 1_767_323_045,
  nanos: 678_000_000,
  text: '2026-01-02T03:04:05.678Z',
} as const;

const text = (value: string): Value => ({ kind: 'string', value });
const integer = (value: bigint): Value => ({ kind: 'integer', value });

function state(path: string, fields: Record<string, Value>): DocumentState {
  return { path, fields: new Map(Object.entries(fields)) };
}

const find = (states: readonly DocumentState[]) => (asked: string) =>
  states.find((each) => each.path === asked) ?? null;

/** The write of a note, for which the rules read the entry, its pet, and the head before and after. */
function noteIsCreated(): DocumentRequest {
  const pet = state('pets/rex', { ownerId: text('alice'), name: text('Rex') });
  const path = 'pets/rex/journalEntries/walk';
  const entry = state(path, {
    createdBy: text('alice'),
    createdDate: time,
    type: text('note'),
    text: text('Long walk along the dyke.'),
    seq: integer(8n),
    deleted: { kind: 'boolean', value: false },
    edits: { kind: 'map', fields: new Map() },
    updatedAt: time,
  });
  const head = (value: bigint) => state('sync/alice', { head: integer(value), epoch: text('e') });
  return {
    auth: { uid: 'alice', claims: {}, expiresAtMs: Infinity },
    operation: 'create',
    path,
    before: null,
    after: entry,
    time,
    get: find([pet, head(7n)]),
    getAfter: find([pet, entry, head(8n)]),
    accessed: new Set(),
  };
}

/** Measures how many decisions per second the deployed rules make about a new note, round by round. */
export async function measureRuleDecisions(): Promise<readonly number[]> {
  const file = deployedFiles.firestoreRules;
  const ruleset = compileRules(await readFile(file, 'utf8'), { file, service: 'cloud.firestore' });
  const authorize = createFirestoreRules(ruleset);
  const perSecond: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const startMs = performance.now();
    for (let decision = 0; decision < decisions; decision += 1) {
      if (!authorize(noteIsCreated())) throw new Error('The rules refuse a note');
    }
    perSecond.push((decisions * msPerSecond) / (performance.now() - startMs));
  }
  return perSecond.slice(1);
}
