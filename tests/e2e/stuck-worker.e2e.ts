import { openingMs } from '../../replication/background-run.ts';
import { expect, test } from './app-copy.ts';
import {
  expectNothingSaving,
  expectSynced,
  goOffline,
  journal,
  openPet,
  openSyncedPet,
  writeNote,
} from './owner.ts';
import { closeAll } from './put-away.ts';

/**
 * Requests to open a database never settle, as in Chromium occasionally if databases are cleared while they are opened.
 * The patience of the worker with them passes three times as fast, and still outlasts the start of a page.
 */
const neverOpening = `{
  const wait = self.setTimeout;
  self.setTimeout = (run, ms) => wait(run, ms === ${openingMs} ? ms / 3 : ms);
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (name, ...rest) {
    if (!name.startsWith('pawpals-')) return open.call(this, name, ...rest);
    console.log('worker opens ' + name);
    return new EventTarget();
  };
}`;

test('a worker whose databases never open holds up no page', async ({ app, newDevice }) => {
  await app.prefixWorker(neverOpening);
  const device = await newDevice();
  let page = await openSyncedPet(device);
  await goOffline(page);
  await writeNote(page, 'written on a walk');
  await expectNothingSaving(page);
  // The browser wakes the worker to sync when the last page closes.
  const isStuck = device.context.waitForEvent('console', (line) =>
    line.text().startsWith('worker opens'),
  );
  await closeAll(device.context);
  await isStuck;

  await device.context.setOffline(false);
  page = await device.open('/pets');
  await openPet(page, 'Bramble');
  await expect(journal(page).getByText('written on a walk')).toBeVisible();
  await expectSynced(page);
});
