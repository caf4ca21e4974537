import { readFileSync } from 'node:fs';
import assert from 'node:assert/strict';
import { isJsonObject, parseJson, type JsonObject } from '../../../src/json.ts';
import type { Random } from '../random.ts';
import { keepRules, openRules, ownersRules, petFilesRules } from '../../support/rules-fixture.ts';
import type { Entrance, Lane } from './lane.ts';
import { mutateText } from '../input/mutations.ts';
import { anyDocument, anyPath, anyQueryOf } from '../input/random-documents.ts';
import { anyExpression, anyRules } from '../input/random-rules.ts';

const sources = [ownersRules, openRules, keepRules, petFilesRules].map((each) =>
  readFileSync(each, 'utf8'),
);

/**
 * Evaluates random and mutated rules for random requests. A source is accepted, or refused with a position
 * inside it; the verdict on a request is the same when it is repeated.
 */
export const rulesEntrance: Entrance = (lane) => {
  const { random } = lane;
  return async () => {
    const source = anySource(random);
    const service = source.includes('firebase.storage') ? 'firebase.storage' : 'cloud.firestore';
    const requests = Array.from({ length: 1 + random.below(4) }, () => anyRequest(random));
    const outcome = await evaluate(lane, { source, service, requests });
    const { verdicts } = outcome;
    if (Array.isArray(verdicts)) {
      assert.equal(verdicts.length, requests.length);
      assert.ok(verdicts.every((each) => typeof each === 'boolean'));
    } else {
      checkRefusal(source, outcome);
    }
  };
};

async function evaluate(lane: Lane, body: unknown): Promise<JsonObject> {
  const text = JSON.stringify(body);
  const end = lane.journal.begin(lane.entrance, text);
  const { status, bytes } = await lane.wire.ask({
    method: 'POST',
    path: '/fuzz/rules',
    body: text,
  });
  const json = parseJson(bytes.toString());
  assert.ok(status === 200 && json.ok && isJsonObject(json.value), `${status} for ${text}`);
  const { verdicts } = json.value;
  end(
    Array.isArray(verdicts)
      ? `decided ${verdicts.includes(true) ? 'some true' : 'false'}`
      : 'refused source',
  );
  return json.value;
}

function checkRefusal(source: string, { line, column, sentence }: Record<string, unknown>): void {
  const at = source.split('\n')[Number(line) - 1];
  const isInside = at !== undefined && Number(column) >= 1 && Number(column) <= at.length + 1;
  assert.ok(isInside, `${String(line)}:${String(column)} is outside of ${source}`);
  assert.match(String(sentence), /\.$/);
}

function anySource(random: Random): string {
  switch (random.below(5)) {
    case 0:
      return mutateText(random, random.pick(sources));
    case 1:
      return exchangeExpression(random, random.pick(sources));
    case 2:
      return mutateText(random, anyRules(random));
    default:
      return anyRules(random);
  }
}

/** Replaces a condition by a random expression. */
function exchangeExpression(random: Random, source: string): string {
  const conditions = [...source.matchAll(/(?<=: if )[^;]+/g)];
  const condition = random.pick(conditions);
  const end = condition.index + condition[0].length;
  return source.slice(0, condition.index) + anyExpression(random) + source.slice(end);
}

const operations = ['get', 'create', 'update', 'delete', 'list'];
const places = ['pets', 'sync', 'organizations', 'c'];

function anyRequest(random: Random): unknown {
  const collection = random.pick(places);
  const [path, other] = [anyPath(random, collection), anyPath(random, collection)];
  const request = {
    operation: random.pick(operations),
    path,
    uid: random.pick(['alice', 'x', '', null]),
    documents: { [path]: anyDocument(random), [other]: anyDocument(random) },
    after: anyDocument(random),
  };
  const { structuredQuery } = anyQueryOf(random, collection);
  return { ...request, structuredQuery };
}
