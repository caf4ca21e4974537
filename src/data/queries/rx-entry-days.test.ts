import { afterEach, expect, it, vi } from 'vitest';
import { feedKey } from '../../../schemas/documents/feed-key.ts';
import { change, expectLive, setUpData } from '../../../tests/support/setups/data-setup.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Creates a journal with a note at each of these times, in the zone of this device. */
async function journalWith(times: readonly string[]) {
  const kit = await setUpData();
  const petId = await kit.commands.createPet({ name: 'Bramble' });
  const ids: string[] = [];
  for (const time of times) {
    const note = { petId, text: time, createdDate: new Date(time).getTime() };
    ids.push(await kit.commands.addNote(note));
  }
  const keyOf = (index: number) =>
    feedKey(new Date(times[index] ?? '').getTime(), ids[index] ?? '');
  return { ...kit, petId, ids, keyOf };
}

it('returns the days of a month that have entries, by the midnights of this device', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  const { queries, petId, keyOf } = await journalWith([
    '2026-02-28T23:59:59.999',
    '2026-03-01T00:00:00.000',
    '2026-03-08T00:30:00.000',
    '2026-03-08T23:59:59.999',
    '2026-03-09T00:00:00.000',
    '2026-03-31T23:59:59.999',
    '2026-04-01T00:00:00.000',
  ]);
  await expectLive(queries.entryDays(petId, '2026-03'), ({ days, journalStart }) => {
    expect([...days]).toEqual([
      ['2026-03-01', { count: 1, firstKey: keyOf(1) }],
      // This day has 23 hours.
      ['2026-03-08', { count: 2, firstKey: keyOf(2) }],
      ['2026-03-09', { count: 1, firstKey: keyOf(4) }],
      ['2026-03-31', { count: 1, firstKey: keyOf(5) }],
    ]);
    expect(journalStart).toBe('2026-02-28');
  });
});

it('updates after a write, a deletion and a sync', async () => {
  const { queries, commands, store, petId, ids } = await journalWith(['2026-03-05T12:00']);
  const live = queries.entryDays(petId, '2026-03');
  const seen: string[][] = [];
  const stop = live.subscribe(() => seen.push([...(live.getSnapshot()?.days.keys() ?? [])]));
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(['2026-03-05']));
  const createdDate = new Date('2026-03-07T12:00').getTime();
  await commands.addNote({ petId, text: 'later', createdDate });
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(['2026-03-05', '2026-03-07']));
  await commands.deleteEntry(ids[0] ?? '');
  await vi.waitFor(() => expect(seen.at(-1)).toEqual(['2026-03-07']));
  await vi.waitFor(() => expect(live.getSnapshot()?.journalStart).toBe('2026-03-07'));
  stop();
  expect((await store.get('entries', ids)).size).toBe(1);
});

it('has no day of an entry without a date, nor a beginning of an empty journal', async () => {
  const { queries, store, petId, ids } = await journalWith(['2026-03-05T12:00']);
  await change(store, { collection: 'entries', id: ids[0] ?? '' }, (entry) => ({
    ...entry,
    fields: { text: 'undated' },
  }));
  for (const month of ['1970-01', '2026-03']) {
    await expectLive(queries.entryDays(petId, month), ({ days, journalStart }) => {
      expect(days.size).toBe(0);
      expect(journalStart).toBeNull();
    });
  }
});
