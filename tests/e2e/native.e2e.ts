import { expect, test, type SharedBackend } from './fixtures.ts';
import { emitNatively, nativeCalls, wrapNatively } from './native-page.ts';
import { addPet, expectSynced, newEmail, register } from './owner.ts';

test.use({ isFirstVisit: true });

/** Returns an ID token of the server's fake of Google, as the system's account list would. */
async function googleToken(backend: SharedBackend, email: string): Promise<string> {
  const { url } = backend;
  const response = await fetch(`${url}/emulator/auth/choose`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: url,
      Cookie: `pawpals-chooser=${backend.chooserCode()}`,
    },
    body: JSON.stringify({ email, displayName: 'Robin Fielding' }),
  });
  const { idToken }: { idToken: string } = await response.json();
  return idToken;
}

test('in the wrapper Google sign-in uses the account list of the system, and the sign-in is kept', async ({
  backend,
  newDevice,
}) => {
  const device = await newDevice();
  const credential = { idToken: await googleToken(backend, newEmail()) };
  await wrapNatively(device.context, { 'FirebaseAuthentication.signInWithGoogle': { credential } });
  const page = await device.open('/auth/login');
  await expect(page.getByText('You stay signed in until you sign out.')).toBeVisible();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
  await page.getByRole('button', { name: 'Sign in with Google' }).click();
  await expect(page.getByRole('heading', { name: 'My Dogs' })).toBeVisible();
  expect(await nativeCalls(page, 'FirebaseAuthentication.signInWithGoogle')).toEqual([
    { name: 'FirebaseAuthentication.signInWithGoogle', options: { skipNativeAuth: true } },
  ]);
  await addPet(page, 'Bramble');
  await expectSynced(page);

  await page.close();
  const later = await device.open('/settings');
  await expect(later.getByText('Robin Fielding')).toBeVisible();
  await expectSynced(later);
});

test('in the wrapper a link of the system opens its page; an unknown one logs a warning', async ({
  newDevice,
}) => {
  const device = await newDevice();
  await wrapNatively(device.context);
  const page = await device.open('/auth/register');
  await register(page, newEmail());
  await expect.poll(() => nativeCalls(page, 'App.addListener')).toHaveLength(2);

  const warnings: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'warning') warnings.push(message.text());
  });
  await emitNatively(page, 'App.appUrlOpen', { url: 'not a link' });
  await expect.poll(() => warnings).toEqual(['pawpals link-not-understood ']);
  await expect(page).toHaveURL(/\/pets$/);
  await emitNatively(page, 'App.appUrlOpen', { url: 'https://pawpals.example/settings?from=mail' });
  await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/settings\?from=mail$/);
});

test('a browser loads none of the wrapper’s code', async ({ newDevice }) => {
  const page = await (await newDevice()).open('/auth/login');
  const names: string[] = [];
  page.on('request', (request) => names.push(request.url()));
  await page.goto('/auth/login');
  await expect(page.getByRole('button', { name: 'Sign in with Google' })).toBeVisible();
  await register(page, newEmail());
  expect(names.filter((name) => /static\/js/.test(name)).length).toBeGreaterThan(3);
  expect(names.filter((name) => /\/native-|capacitor|app-events/.test(name))).toEqual([]);
});
