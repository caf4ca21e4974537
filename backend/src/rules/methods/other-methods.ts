import { EvaluationError } from '../evaluation-error.ts';
import { double, expectKind, int, path, text } from '../rule-value.ts';
import { none, one, type MethodsOf } from './method.ts';

/** With its padding, which Node's `base64url` leaves out. */
const toBase64Url = (bytes: Buffer): string =>
  bytes.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

export const BYTES_METHODS: MethodsOf<'bytes'> = {
  size: { arity: none, call: ({ base64 }) => int(Buffer.from(base64, 'base64').length) },
  toBase64: {
    arity: none,
    call: ({ base64 }) => text(toBase64Url(Buffer.from(base64, 'base64'))),
  },
  toHexString: {
    arity: none,
    call: ({ base64 }) => text(Buffer.from(base64, 'base64').toString('hex').toUpperCase()),
  },
};

const EARTH_RADIUS_M = 6_371_010;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Along the great circle, in metres. */
function distance(from: Place, to: Place): number {
  const latitudes = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2;
  const longitudes = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  const scale = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
  return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(Math.min(1, latitudes + scale * longitudes)));
}

export const LATLNG_METHODS: MethodsOf<'geo'> = {
  latitude: { arity: none, call: ({ latitude }) => double(latitude) },
  longitude: { arity: none, call: ({ longitude }) => double(longitude) },
  distance: {
    arity: one,
    call: (self, args) => double(distance(self, expectKind(args.at(0), 'geo'))),
  },
};

export const PATH_METHODS: MethodsOf<'path'> = {
  bind: {
    arity: one,
    call({ segments }, args) {
      const { fields } = expectKind(args.at(0), 'map');
      return path(
        segments.map((each) => {
          const name = /^\{(\w+)\}$/.exec(each)?.[1];
          if (name === undefined) return each;
          const value = fields.get(name);
          if (value === undefined) throw new EvaluationError(`"${name}" is not bound.`);
          return expectKind(value, 'string').value;
        }),
      );
    },
  },
};
