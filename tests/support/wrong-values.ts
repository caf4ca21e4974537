import { Bytes, doc, GeoPoint, Timestamp, type Firestore } from 'firebase/firestore/lite';

/** One value of each type that Firestore knows, none of which has a meaning to the app. */
export const valuesOfEachType = (firestore: Firestore): Readonly<Record<string, unknown>> => ({
  null: null,
  boolean: true,
  integer: 7,
  double: 7.5,
  NaN: NaN,
  timestamp: Timestamp.fromMillis(1_700_000_000_123),
  string: 'seven',
  bytes: Bytes.fromUint8Array(new Uint8Array([7])),
  reference: doc(firestore, 'pets/seven'),
  geopoint: new GeoPoint(7, 7),
  array: ['seven'],
  map: { seven: 7 },
});
