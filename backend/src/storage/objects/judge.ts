import {
  STORAGE_ADMIN,
  type StorageAccessPolicy,
  type StorageAccessRequest,
  type StorageCaller,
} from '../access-policy.ts';
import { StorageError } from '../storage-error.ts';
import { toResource, type DraftObject } from './stored-object.ts';

/** Puts the question to the policy; throws when it says no. */
export interface Judge {
  object(caller: StorageCaller, method: ObjectMethod, judged: Judged): void;
  list(caller: StorageCaller, prefix: string): void;
}

type ObjectMethod = Exclude<StorageAccessRequest['method'], 'list'>;

interface Judged {
  readonly name: string;
  readonly before: DraftObject | null;
  readonly after?: DraftObject | null;
}

export interface JudgeDeps {
  /** Its name. */
  readonly bucket: string;
  readonly policy: StorageAccessPolicy;
  readonly nowMs: () => number;
}

type Question = Pick<StorageAccessRequest, 'method' | 'path' | 'resource' | 'newResource'>;

export function createJudge({ bucket, policy, nowMs }: JudgeDeps): Judge {
  const ask = (caller: StorageCaller, question: Question) => {
    if (caller === STORAGE_ADMIN) return;
    const isAllowed = policy({ ...question, bucket, auth: caller, timeMs: nowMs() });
    if (!isAllowed) throw denied(question.method);
  };
  const resourceOf = (object: DraftObject | null) =>
    object === null ? null : toResource(object, bucket);
  return {
    object: (caller, method, { name, before, after = null }) =>
      ask(caller, {
        method,
        path: name,
        resource: resourceOf(before),
        newResource: resourceOf(after),
      }),
    list(caller, prefix) {
      const path = prefix.replace(/\/$/, '');
      ask(caller, { method: 'list', path, resource: null, newResource: null });
    },
  };
}

function denied(method: StorageAccessRequest['method']): StorageError {
  const kind = { get: 'READ', list: 'LIST', create: 'WRITE', update: 'WRITE', delete: 'WRITE' };
  return new StorageError('denied', `Permission denied. No ${kind[method]} permission.`);
}
