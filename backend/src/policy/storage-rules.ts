import type { StorageAccessPolicy, StorageAccessRequest } from '../storage/access-policy.ts';
import { etagOf, type DraftObject } from '../storage/objects/stored-object.ts';
import { map, nullValue, path, text, type RuleValue } from '../rules/rule-value.ts';
import type { Ruleset } from '../rules/ruleset.ts';
import { accessBudget, type RuleDocument } from '../rules/run.ts';
import { authValue, jsonToFields } from './request-values.ts';

/**
 * Creates a policy that evaluates the rules of Storage, which can read Firestore documents.
 *
 * - A missing file is `resource == null`; `request.resource` is what an upload or an update of metadata would store.
 * - A list is decided on its prefix as a path; nothing is known of the files that it would find.
 */
export function createStorageRules(
  ruleset: Ruleset,
  peek: (path: string) => RuleDocument | null,
): StorageAccessPolicy {
  return (asked) =>
    ruleset.authorize({
      ...subjectOf(asked),
      method: asked.method,
      resource: resourceValue(asked.resource, asked.bucket),
      documents: { get: peek, getAfter: peek },
      budgets: [accessBudget('storage')],
    }).isAllowed;
}

function subjectOf(asked: StorageAccessRequest) {
  const { bucket, path: name, method, newResource } = asked;
  const segments = ['b', bucket, 'o', ...(name === '' ? [] : name.split('/'))];
  const request = new Map<string, RuleValue>([
    ['auth', authValue(asked.auth)],
    ['method', text(method)],
    ['path', path(segments)],
    ['time', time(asked.timeMs)],
  ]);
  if (method !== 'get' && method !== 'list')
    request.set('resource', resourceValue(newResource, bucket));
  return { path: segments, request: map(request) };
}

const time = (ms: number): RuleValue => ({
  kind: 'timestamp',
  seconds: Math.floor(ms / 1000),
  nanos: Math.floor(ms % 1000) * 1_000_000,
});

function resourceValue(object: DraftObject | null, bucket: string): RuleValue {
  if (object === null) return nullValue;
  const { name, generation, metageneration, size, md5Hash, crc32c } = object;
  const { custom, ...headers } = object.settings;
  const facts = { name, bucket, generation, metageneration, size, md5Hash, crc32c };
  const fields = jsonToFields({ ...headers, ...facts, etag: etagOf(object) });
  fields.set('timeCreated', time(object.createdMs));
  fields.set('updated', time(object.updatedMs));
  fields.set('metadata', map(new Map(Array.from(custom, ([key, value]) => [key, text(value)]))));
  return map(fields);
}
