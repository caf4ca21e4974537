import type {
  StorageAccessPolicy,
  StorageAccessRequest,
  StorageResource,
} from '../storage/access-policy.ts';
import {
  int,
  map,
  NULL,
  path,
  text,
  timestampFromNanos,
  type RuleValue,
} from '../rules/rule-value.ts';
import type { Ruleset } from '../rules/ruleset.ts';
import { createAccessBudget, MAX_STORAGE_ACCESS_CALLS, type RuleDocument } from '../rules/run.ts';
import { authValue } from './auth-value.ts';

/**
 * Asks the rules of Storage in force, which may ask Firestore.
 *
 * - A missing file is `resource == null`; `request.resource` is what an upload or an update of metadata would store.
 * - A list is judged on its prefix as a path; nothing is known of the files it would find.
 */
export function createStorageRules(
  rules: () => Ruleset,
  peek: (path: string) => RuleDocument | null,
): StorageAccessPolicy {
  return (asked) =>
    rules().judge({
      ...subjectOf(asked),
      method: asked.method,
      resource: resourceValue(asked.resource),
      documents: { get: peek, getAfter: peek },
      budget: createAccessBudget(MAX_STORAGE_ACCESS_CALLS),
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
  if (method !== 'get' && method !== 'list') request.set('resource', resourceValue(newResource));
  return { path: segments, request: map(request) };
}

const time = (ms: number): RuleValue => timestampFromNanos(BigInt(Math.floor(ms)) * 1_000_000n);
const textOrNull = (value: string | null): RuleValue => (value === null ? NULL : text(value));

function resourceValue(resource: StorageResource | null): RuleValue {
  if (resource === null) return NULL;
  const metadata = [...resource.metadata].map(([key, value]) => [key, text(value)] as const);
  return map(
    new Map<string, RuleValue>([
      ['name', text(resource.name)],
      ['bucket', text(resource.bucket)],
      ['generation', int(resource.generation)],
      ['metageneration', int(resource.metageneration)],
      ['size', int(resource.size)],
      ['timeCreated', time(resource.timeCreatedMs)],
      ['updated', time(resource.updatedMs)],
      ['md5Hash', textOrNull(resource.md5Hash)],
      ['crc32c', textOrNull(resource.crc32c)],
      ['etag', text(resource.etag)],
      ['contentType', text(resource.contentType)],
      ['contentDisposition', text(resource.contentDisposition)],
      ['contentEncoding', text(resource.contentEncoding)],
      ['contentLanguage', textOrNull(resource.contentLanguage)],
      ['cacheControl', textOrNull(resource.cacheControl)],
      ['metadata', map(new Map(metadata))],
    ]),
  );
}
