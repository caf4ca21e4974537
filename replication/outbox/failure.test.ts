import { describe, expect, it, vi } from 'vitest';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { RemoteError } from '../ports.ts';
import { failureOf } from './failure.ts';

const refused = new RemoteError('permanent', 'http-413');
const lost = new RemoteError('transient', 'unavailable');

function classify(error: unknown, { isOnline = true, accountError = null as Error | null } = {}) {
  const confirmAccount = vi.fn<() => Promise<void>>(async () => {
    if (accountError !== null) throw accountError;
  });
  const online = { isOnline: () => isOnline };
  return {
    confirmAccount,
    failure: failureOf(error, { ...setUpLedger().deps, online, confirmAccount }),
  };
}

describe('the failure of a request for a file', () => {
  it('is passed over without a connection, whatever it is', async () => {
    for (const [error, code] of [
      [refused, 'http-413'],
      [lost, 'unavailable'],
      [new Error('no'), 'defect'],
    ] as const) {
      const { failure, confirmAccount } = classify(error, { isOnline: false });
      expect(await failure).toEqual({ kind: 'pass-over', code });
      expect(confirmAccount).not.toHaveBeenCalled();
    }
  });

  it('is passed over if nobody is signed in', async () => {
    const { failure } = classify(new RemoteError('transient', 'unauthenticated'));
    expect(await failure).toEqual({ kind: 'pass-over', code: 'unauthenticated' });
  });

  it('is a refusal if the server refuses the file, and accepts the account', async () => {
    const { failure, confirmAccount } = classify(refused);
    expect(await failure).toEqual({ kind: 'refused', code: 'http-413' });
    expect(confirmAccount).toHaveBeenCalledTimes(1);
  });

  it('is tried again if the server refuses the account, with the reason of that', async () => {
    const accountError = new RemoteError('permanent', 'permission-denied');
    const { failure } = classify(refused, { accountError });
    expect(await failure).toEqual({ kind: 'later', code: 'permission-denied' });
    const unknown = classify(refused, { accountError: new Error('no') });
    expect(await unknown.failure).toEqual({ kind: 'later', code: 'defect' });
  });

  it('is tried again after anything else, without a question about the account', async () => {
    for (const [error, code] of [
      [lost, 'unavailable'],
      [new Error('no'), 'defect'],
      ['no', 'defect'],
    ] as const) {
      const { failure, confirmAccount } = classify(error);
      expect(await failure).toEqual({ kind: 'later', code });
      expect(confirmAccount).not.toHaveBeenCalled();
    }
  });
});
