import { fromPlain } from '../firestore/values/plain-data.ts';
import { requestTime } from '../firestore/values/timestamp.ts';
import type { StorageAccessPolicy, StorageAccessRequest } from '../storage/access-policy.ts';
import { etagOf, type DraftObject } from '../storage/objects/stored-object.ts';
import { map, path, text, type RuleValue } from '../rules/rule-value.ts';
import type { Ruleset } from '../rules/ruleset.ts';
import { accessBudget, type RuleDocument } from '../rules/run.ts';
import { authValue } from './auth-value.ts';

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
    ['time', requestTime(asked.timeMs * 1000)],
  ]);
  if (method !== 'get' && method !== 'list')
    request.set('resource', resourceValue(newResource, bucket));
  return { path: segments, request: map(request) };
}

function resourceValue(object: DraftObject | null, bucket: string): RuleValue {
  if (object === null) return fromPlain(null);
  const { name, generation, metageneration, size, md5Hash } = object;
  const { custom, ...headers } = object.settings;
  const facts = { name, bucket, generation, metageneration, size, md5Hash };
  return fromPlain({
    ...headers,
    ...facts,
    etag: etagOf(object),
    timeCreated: new Date(object.createdMs),
    updated: new Date(object.updatedMs),
    metadata: Object.fromEntries(custom),
  });
}
