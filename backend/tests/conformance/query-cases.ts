import type { Query } from 'firebase/firestore';
import {
  invalid,
  fill,
  idsOf,
  refused,
  same,
  type SharedCase,
  type SharedName,
  type World,
} from './world.ts';

type SharedWorld = World<SharedName>;
type Build = (world: SharedWorld) => Query;

const pets = {
  ada: { n: 1, s: 'a', tags: ['x', 'y'], m: { k: 1 }, maybe: null },
  bob: { n: 2, s: 'b', tags: ['y'], m: { k: 2 }, maybe: 1 },
  cid: { n: 3, s: 'a', tags: ['z', null], m: { k: 3 } },
  dot: { n: 3, s: 'c', tags: [], maybe: Number.NaN },
  eve: { n: Number.NaN, s: 'B', tags: 'x', maybe: 'text' },
  fay: { n: '3', s: '😀', tags: [['nested']].map(() => 'x') },
  gus: { s: '\uFF5E' },
};

const from = ({ sdk, db, at }: SharedWorld) => sdk.collection(db, at);

/** A case of a query over `pets`, with the documents that it finds, in order. */
const finds = (name: string, build: Build, ids: string): SharedCase => ({
  name: `query: ${name}`,
  async run(world) {
    await fill({ ...world, db: world.writer }, pets);
    same(idsOf(await world.sdk.getDocs(build(world))), ids);
  },
});

const q =
  (build: (world: SharedWorld['sdk']) => Parameters<SharedWorld['sdk']['query']>[1][]) =>
  (world: SharedWorld): Query =>
    world.sdk.query(from(world), ...build(world.sdk));

const filters: readonly SharedCase[] = [
  finds(
    'everything, by name',
    q(() => []),
    'ada bob cid dot eve fay gus',
  ),
  finds(
    '==',
    q(({ where }) => [where('n', '==', 3)]),
    'cid dot',
  ),
  finds(
    '== of a map',
    q(({ where }) => [where('m', '==', { k: 2 })]),
    'bob',
  ),
  finds(
    '== of a nested field',
    q(({ where }) => [where('m.k', '==', 3)]),
    'cid',
  ),
  finds(
    '== of a list',
    q(({ where }) => [where('tags', '==', ['y'])]),
    'bob',
  ),
  finds(
    '== null',
    q(({ where }) => [where('maybe', '==', null)]),
    'ada',
  ),
  finds(
    '== NaN',
    q(({ where }) => [where('n', '==', Number.NaN)]),
    'eve',
  ),
  finds(
    '!=, without null and what lacks it',
    q(({ where }) => [where('maybe', '!=', 1)]),
    'dot eve',
  ),
  finds(
    '!= null',
    q(({ where }) => [where('maybe', '!=', null)]),
    'dot bob eve',
  ),
  finds(
    '!= NaN',
    q(({ where }) => [where('n', '!=', Number.NaN)]),
    'ada bob cid dot fay',
  ),
  finds(
    '< of one type only, never NaN',
    q(({ where }) => [where('n', '<', 3)]),
    'ada bob',
  ),
  finds(
    '<=',
    q(({ where }) => [where('n', '<=', 3)]),
    'ada bob cid dot',
  ),
  finds(
    '>',
    q(({ where }) => [where('n', '>', 1)]),
    'bob cid dot',
  ),
  finds(
    '>= of strings',
    q(({ where }) => [where('n', '>=', '1')]),
    'fay',
  ),
  finds(
    'a range',
    q(({ where }) => [where('n', '>', 1), where('n', '<', 3)]),
    'bob',
  ),
  finds(
    'in',
    q(({ where }) => [where('s', 'in', ['a', 'c'])]),
    'ada cid dot',
  ),
  finds(
    'in, where null and NaN match nothing',
    q(({ where }) => [where('maybe', 'in', [null, Number.NaN, 1])]),
    'bob',
  ),
  finds(
    'not-in',
    q(({ where }) => [where('s', 'not-in', ['a', 'b'])]),
    'eve dot gus fay',
  ),
  finds(
    'not-in with null matches nothing',
    q(({ where }) => [where('s', 'not-in', ['a', null])]),
    '',
  ),
  finds(
    'array-contains',
    q(({ where }) => [where('tags', 'array-contains', 'y')]),
    'ada bob',
  ),
  finds(
    'array-contains-any',
    q(({ where }) => [where('tags', 'array-contains-any', ['x', 'z', null])]),
    'ada cid fay',
  ),
  finds(
    'two inequalities on two fields',
    q(({ where }) => [where('n', '>=', 2), where('s', '>', 'a')]),
    'bob dot',
  ),
  finds(
    'names in a list',
    q(({ where, documentId }) => [where(documentId(), 'in', ['bob', 'zoe', 'ada'])]),
    'ada bob',
  ),
  finds(
    'a range of names',
    q(({ where, documentId }) => [
      where(documentId(), '>', 'dot'),
      where(documentId(), '<=', 'fay'),
    ]),
    'eve fay',
  ),
  finds(
    'or',
    (world) => {
      const { or, query, where } = world.sdk;
      return query(
        from(world),
        or(where('s', '==', 'b'), where('n', '<', 2), where('s', '==', 'c')),
      );
    },
    'ada bob dot',
  ),
  finds(
    'and within or within and',
    (world) => {
      const { and, or, query, where } = world.sdk;
      const inner = or(
        and(where('n', '==', 3), where('s', '==', 'c')),
        where('tags', 'array-contains', 'y'),
      );
      return query(from(world), and(where('n', '>', 1), inner));
    },
    'bob dot',
  ),
];

const windows: readonly SharedCase[] = [
  finds(
    'orderBy leaves out what lacks the field',
    q(({ orderBy }) => [orderBy('maybe')]),
    'ada dot bob eve',
  ),
  finds(
    'orderBy desc, names descending among equals',
    q(({ orderBy }) => [orderBy('n', 'desc')]),
    'fay dot cid bob ada eve',
  ),
  finds(
    'strings by UTF-8, not by UTF-16',
    q(({ orderBy }) => [orderBy('s')]),
    'eve ada cid bob dot gus fay',
  ),
  finds(
    'two orders',
    q(({ orderBy }) => [orderBy('s', 'desc'), orderBy('n')]),
    'fay dot bob ada cid eve',
  ),
  finds(
    'limit',
    q(({ orderBy, limit }) => [orderBy('n'), limit(2)]),
    'eve ada',
  ),
  finds(
    'limitToLast',
    q(({ orderBy, limitToLast }) => [orderBy('n'), limitToLast(2)]),
    'dot fay',
  ),
  finds(
    'startAt and endAt',
    q(({ orderBy, startAt, endAt }) => [orderBy('n'), startAt(2), endAt(3)]),
    'bob cid dot',
  ),
  finds(
    'startAfter and endBefore',
    q(({ orderBy, startAfter, endBefore }) => [orderBy('n'), startAfter(1), endBefore(3)]),
    'bob',
  ),
  finds(
    'a cursor over two orders',
    q(({ orderBy, startAfter }) => [orderBy('s'), orderBy('n'), startAfter('a', 1)]),
    'cid bob dot fay',
  ),
  finds(
    'cursors and limitToLast',
    q(({ orderBy, startAt, limitToLast }) => [orderBy('n'), startAt(1), limitToLast(2)]),
    'dot fay',
  ),
  {
    name: 'query: a document as cursor, page by page',
    async run(world) {
      const { sdk } = world;
      await fill(world, pets);
      const pages: string[] = [];
      const first = sdk.query(from(world), sdk.orderBy('n'), sdk.limit(2));
      for (let page = await sdk.getDocs(first); page.docs.length > 0;) {
        pages.push(idsOf(page));
        const last = page.docs.at(-1);
        page = await sdk.getDocs(sdk.query(first, sdk.startAfter(last)));
      }
      same(pages, ['eve ada', 'bob cid', 'dot fay']);
    },
  },
  {
    name: 'query: a collection group finds documents under any parent',
    async run({ sdk, db, at }) {
      const id = at.replaceAll('/', '-');
      for (const path of [`${at}/x/${id}/a`, `${at}/y/${id}/b`, `other/z/${id}/c`, `${id}/d`]) {
        await sdk.setDoc(sdk.doc(db, path), { n: path.length });
      }
      const group = sdk.query(sdk.collectionGroup(db, id), sdk.where('n', '>', 0));
      same((await sdk.getDocs(group)).docs.map((each) => each.id).toSorted(), ['a', 'b', 'c', 'd']);
    },
  },
  {
    name: 'query: a collection does not contain that of its documents',
    async run(world) {
      const { sdk, db, at } = world;
      await fill(world, { a: {} });
      await sdk.setDoc(sdk.doc(db, `${at}/a/${at.split('/').at(-1) ?? ''}/b`), {});
      same(idsOf(await sdk.getDocs(from(world))), 'a');
    },
  },
  {
    name: 'query: a reserved collection is invalid-argument',
    async run({ sdk, db }) {
      await refused(sdk.getDocs(sdk.collection(db, '__reserved__')), invalid);
    },
  },
];

const aggregations: readonly SharedCase[] = [
  {
    name: 'aggregation: count, sum and average of what has every field',
    async run(world) {
      const { sdk } = world;
      await fill(world, {
        a: { n: 1, m: 5 },
        b: { n: 2.5, m: 1 },
        c: { n: 'x', m: 1 },
        d: { m: 1 },
      });
      const all = from(world);
      same((await sdk.getCountFromServer(all)).data(), { count: 4 });
      const one = await sdk.getAggregateFromServer(all, {
        total: sdk.sum('n'),
        mean: sdk.average('n'),
      });
      same(one.data(), { total: 3.5, mean: 1.75 });
      const two = await sdk.getAggregateFromServer(all, {
        count: sdk.count(),
        n: sdk.sum('n'),
        m: sdk.sum('m'),
      });
      same(two.data(), { count: 3, n: 3.5, m: 7 });
    },
  },
  {
    name: 'aggregation: of nothing, of infinity, over a limit and a filter',
    async run(world) {
      const { sdk } = world;
      await fill(world, { a: { n: 1 }, b: { n: Infinity }, c: { n: 3 } });
      const of = async (query: Query) =>
        (await sdk.getAggregateFromServer(query, { s: sdk.sum('n'), a: sdk.average('n') })).data();
      same(await of(sdk.query(from(world), sdk.where('n', '==', 9))), { s: 0, a: null });
      same(await of(from(world)), { s: Infinity, a: Infinity });
      same(await of(sdk.query(from(world), sdk.orderBy('n'), sdk.limit(2))), { s: 4, a: 2 });
      const above = sdk.query(from(world), sdk.where('n', '>', 1));
      same((await sdk.getCountFromServer(above)).data().count, 2);
    },
  },
];

export const queryCases = [...filters, ...windows, ...aggregations];
