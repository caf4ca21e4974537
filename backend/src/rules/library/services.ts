import { COMMON, finding, getting } from './functions.ts';
import type { Native, Natives } from './native.ts';

/** What a service offers besides the methods of values. */
export interface Library {
  /** By their full names, such as `math.abs`. */
  readonly functions: ReadonlyMap<string, Native>;
  readonly namespaces: ReadonlySet<string>;
  readonly requestMembers: ReadonlySet<string>;
  readonly resourceMembers: ReadonlySet<string>;
}

interface Offer {
  readonly functions: Natives;
  readonly requestMembers: readonly string[];
  readonly resourceMembers: readonly string[];
}

function createLibrary({ functions, requestMembers, resourceMembers }: Offer): Library {
  const all = new Map(Object.entries({ ...COMMON, ...functions }));
  const namespaces = [...all.keys()].filter((each) => each.includes('.'));
  return {
    functions: all,
    namespaces: new Set(namespaces.map((each) => each.slice(0, each.indexOf('.')))),
    requestMembers: new Set(requestMembers),
    resourceMembers: new Set(resourceMembers),
  };
}

export const LIBRARIES = {
  'cloud.firestore': createLibrary({
    functions: {
      get: getting('before'),
      exists: finding('before'),
      getAfter: getting('after'),
      existsAfter: finding('after'),
    },
    requestMembers: ['auth', 'method', 'path', 'query', 'resource', 'time'],
    resourceMembers: ['data', 'id', '__name__'],
  }),
  'firebase.storage': createLibrary({
    functions: { 'firestore.get': getting('before'), 'firestore.exists': finding('before') },
    requestMembers: ['auth', 'method', 'path', 'resource', 'time'],
    resourceMembers: [
      'name',
      'bucket',
      'generation',
      'metageneration',
      'size',
      'timeCreated',
      'updated',
      'md5Hash',
      'crc32c',
      'etag',
      'contentDisposition',
      'contentEncoding',
      'contentLanguage',
      'contentType',
      'cacheControl',
      'metadata',
    ],
  }),
} as const;

export type Service = keyof typeof LIBRARIES;
