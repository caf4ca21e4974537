import { expect, test } from './app-copy.ts';
import {
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  openOnSecondDevice,
  openWithPet,
  status,
  writeNote,
} from './owner.ts';
import { closeAll, wakeWorker } from './put-away.ts';

/** Records the badge that the worker sets, because a page cannot read the badge from the system. */
const noting = `{
  const note = async (count) => (await caches.open('badge')).put('/badge', new Response(String(count)));
  Object.assign(navigator, { setAppBadge: note, clearAppBadge: () => note(0) });
}`;

test('with no tab open, the worker takes the badge away once everything is sent', async ({
  app,
  backend,
  newDevice,
}) => {
  await app.prefixWorker(noting);
  const email = newEmail();
  const phone = await newDevice();
  const page = await openWithPet(phone, 'Bramble', email);
  await expectSynced(page);
  await goOffline(page);
  await writeNote(page, 'written on a walk');
  await expectNothingSaving(page);
  await expect(status(page)).toHaveText('Offline, 1 waiting');
  await closeAll(phone.context);
  await phone.context.setOffline(false);
  await wakeWorker(phone.context, backend.url);

  const other = await openOnSecondDevice(await newDevice(), email);
  await expect(journal(other).getByText('written on a walk')).toBeVisible();
  // Only the worker records the badge; any page can read the record.
  const back = await phone.open();
  const noted = () => back.evaluate(async () => (await caches.match('/badge'))?.text());
  await expect.poll(noted).toBe('0');
});
