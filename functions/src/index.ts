import { info } from 'firebase-functions/logger';
import { runWith } from 'firebase-functions/v1';
import { eraseAccount } from './account-cleanup/erase-account.ts';
import { openAdminPorts } from './firebase/admin-ports.ts';

/** A failed or interrupted run is repeated for days, and goes on where the last one stopped. */
const untilDone = { failurePolicy: true, timeoutSeconds: 540, memory: '256MB' } as const;

export const accountCleanup = runWith(untilDone)
  .auth.user()
  .onDelete(async ({ uid }) => {
    info('account erased', { uid, ...(await eraseAccount(openAdminPorts(), uid)) });
  });
