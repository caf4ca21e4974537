import { expect, it } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { patientTokens, tokenPatienceMs } from './app-check.ts';

it('gives the token of App Check', async () => {
  expect(await patientTokens(async () => 'token', createFakeClock())()).toBe('token');
});

it('gives none where App Check refuses', async () => {
  const refuse = () => Promise.reject(new Error('blocked'));
  expect(await patientTokens(refuse, createFakeClock())()).toBeNull();
});

it('gives none where reCAPTCHA never answers, as behind a blocker', async () => {
  const clock = createFakeClock();
  const token = patientTokens(() => new Promise(() => undefined), clock)();
  await clock.advance(tokenPatienceMs);
  expect(await token).toBeNull();
});
