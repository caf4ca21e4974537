import { expect, test } from './fixtures.ts';
import { addPet, expectSynced, newEmail, openWithPet, register, writeNote } from './owner.ts';

test.use({ serviceWorkers: 'block' });

test('without a microphone the page says so when its owner records, and not before', async ({
  newDevice,
}) => {
  const page = await (await newDevice()).open('/auth/register');
  await register(page, newEmail());
  await addPet(page, 'Bramble');
  await page.goto(page.url().replace('/profile', '/actions/add-voice-note'));
  const button = page.getByRole('button', { name: 'Record', exact: true });
  for (const press of ['first', 'second']) {
    await expect(page.getByRole('alert'), press).toHaveCount(press === 'first' ? 0 : 1);
    await button.click();
    await expect(page.getByRole('alert')).toHaveText(
      'Microphone permission denied or unavailable.',
    );
    await expect(button).toBeVisible();
  }
});

test('the page says that a browser cannot record, and keeps notes there', async ({ newDevice }) => {
  const device = await newDevice();
  await device.context.addInitScript(() => Reflect.deleteProperty(window, 'MediaRecorder'));
  const page = await openWithPet(device);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(
    'This browser cannot record sound on this page.',
  );
  await writeNote(page, 'written instead');
  await expectSynced(page);
});
