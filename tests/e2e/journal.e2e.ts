import { holdFirst } from './first-request.ts';
import { expect, test } from './fixtures.ts';
import {
  addPet,
  expectSynced,
  goOffline,
  journal,
  newEmail,
  register,
  writeNote,
} from './owner.ts';

test('an entry says where it is: on this device, uploading, in the cloud', async ({
  newDevice,
}) => {
  const device = await newDevice();
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await expectSynced(page);

  await goOffline(page);
  await writeNote(page, 'on the walk');
  await expect(journal(page).getByText('On this device')).toBeVisible();

  const held = holdFirst(page, '**/documents:commit*');
  await device.context.setOffline(false);
  await expect(journal(page).getByText('Uploading')).toBeVisible();
  await (await held).continue();
  await expect(journal(page).getByText('In the cloud')).toBeVisible();
});

test('the composer grows with its text to 160 px, then scrolls', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  const composer = page.getByRole('textbox', { name: 'Write a note' });
  const height = () => composer.evaluate((element) => element.clientHeight);

  const oneLine = await height();
  await composer.fill('one\ntwo\nthree');
  await expect.poll(height).toBeGreaterThan(oneLine);
  await composer.fill('a line\n'.repeat(40));
  await expect
    .poll(() => composer.evaluate((element) => element.getBoundingClientRect().height))
    .toBe(160);
  expect(await composer.evaluate((element) => element.scrollHeight)).toBeGreaterThan(160);
  await composer.fill('');
  await expect.poll(height).toBe(oneLine);
});
