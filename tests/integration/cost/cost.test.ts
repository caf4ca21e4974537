import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'oxfmt';
import { expect, it, onTestFinished } from 'vitest';
import { startTestBackend } from '../../support/servers/backend-in-process.ts';
import { openMeter, type Counts, type Meter } from '../../support/cost/meter.ts';
import { costTables } from '../../support/cost/tables.ts';
import { deployedFiles } from '../../support/built-app/deployed-files.ts';
import { openRealDevice, type RealDevice } from '../../support/setups/real-device.ts';
import { openRealFiles, type RealFiles } from '../../support/setups/real-files.ts';

const email = 'owner@example.com';
const signal = new AbortController().signal;

/** The size of 20 s at the 32 kbit/s that the app requests from the recorder. */
const voiceNoteBytes = 80_000;
/** The size of the demo owner's pictures, which the app has encoded. */
const pictureBytes = 45_000;
const noteText =
  'Ate half of breakfast, then chased the ducks around the pond until both were tired.';

/** A device while its owner has the app open. */
interface Open {
  readonly device: RealDevice;
  readonly files: RealFiles;
}

let meter: Meter;
/** The reads of the bell: the document at its start, and one for each commit that it reports. */
let bellReads = 0;

/**
 * Syncs until nothing is left to do. The bell reports a device's own commits as well, and each ring causes a sync. The
 * listening SDK does not run here, so the reads of the bell are counted by hand.
 */
async function settle({ device, files }: Open): Promise<void> {
  for (let isDone = false; !isDone;) {
    const before = meter.counts.commits;
    await files.syncAll();
    const rings = meter.counts.commits - before;
    bellReads += rings;
    for (let ring = 0; ring < rings; ring += 1) await device.sync();
    isDone = rings === 0 && (await files.outbox.queue.list()).length === 0;
  }
}

/** Runs the first sync, and the one after the first answer of the bell. */
async function openApp(open: Open): Promise<void> {
  await settle(open);
  bellReads += 1;
  await settle(open);
}

async function record({ device, files }: Open, petId: string): Promise<string> {
  const id = crypto.randomUUID().replaceAll('-', '').slice(0, 20);
  const contentType = 'audio/webm;codecs=opus';
  const startedAtMs = Date.now();
  const { recordings } = files.outbox;
  await recordings.begin({ id, petId, contentType, startedAtMs });
  const bytes = new ArrayBuffer(voiceNoteBytes);
  await recordings.append({ recordingId: id, index: 0, bytes, untilMs: 20_000 });
  await recordings.finish(id, 20_000);
  const note = { id, petId, createdDate: startedAtMs, contentType, durationMs: 20_000 };
  await device.commands.addVoiceNote(note, async () => ({}));
  return id;
}

function must<T>(value: T | undefined | null): T {
  if (value === undefined || value === null) throw new Error('not there');
  return value;
}

interface Measured {
  readonly day: Counts;
  readonly picture: Counts;
}

async function measure(): Promise<Measured> {
  const backend = await startTestBackend();
  meter = await openMeter(backend.current().url);
  const { url } = meter;
  const device = await openRealDevice({ url, email, isNew: true });
  const other = await openRealDevice({ url, email, isNew: false });
  onTestFinished(async () => {
    await Promise.all([device, other].map(({ client }) => client.close()));
    await meter.close();
    await backend.dispose();
  });
  const phone = { device, files: openRealFiles(device, url) };
  const tablet = { device: other, files: openRealFiles(other, url) };
  const petId = await device.commands.createPet({ name: 'Bramble' });
  await device.commands.createPet({ name: 'Moss' });
  await device.commands.createPet({ name: 'Teal' });
  await settle(phone);
  await settle(tablet);
  meter.take();
  bellReads = 0;

  const heard: string[] = [];
  for (const written of ['note', 'note', 'voice', 'note', 'note', 'voice and note']) {
    await openApp(phone);
    if (written.includes('voice')) heard.push(await record(phone, petId));
    if (written.includes('note')) await device.commands.addNote({ petId, text: noteText });
    await settle(phone);
    await openApp(tablet);
    for (const id of heard.splice(0)) {
      const entry = must((await other.store.get('entries', [id])).get(id)).document;
      expect(entry.fields).toMatchObject({ transcript: 'done', text: 'went away' });
      const location = String(entry.fields['fileLocation']);
      expect(await tablet.files.files.download(location, signal)).not.toBeNull();
    }
  }
  const counted = meter.take();
  const day = { ...counted, reads: counted.reads + bellReads };

  bellReads = 0;
  const bytes = new ArrayBuffer(pictureBytes);
  await phone.files.outbox.addPicture({
    petId,
    bytes,
    contentType: 'image/jpeg',
    chosenAtMs: Date.now(),
    replaces: [],
  });
  await settle(phone);
  await settle(tablet);
  const pet = must((await other.store.get('pets', [petId])).get(petId)).document;
  const path = String(pet.fields['profilePicturePath']);
  expect(await tablet.files.files.download(path, signal)).not.toBeNull();
  const picture = meter.take();
  return { day, picture: { ...picture, reads: picture.reads + bellReads } };
}

const page = fileURLToPath(new URL('../../../docs/cost.md', import.meta.url));
const generated = /(<!-- counted -->\n).*?(\n<!-- \/counted -->)/s;

it('docs/cost.md has the counts of an owner’s day, and their costs', async () => {
  const tables = costTables(await measure());
  const text = await readFile(page, 'utf8');
  expect(text).toMatch(generated);
  const replaced = text.replace(generated, (_, start: string, end: string) => start + tables + end);
  const { code: wanted } = await format('cost.md', replaced);
  if (process.env['PAWPALS_WRITE_COST'] !== undefined) await writeFile(page, wanted);
  expect(await readFile(page, 'utf8')).toBe(wanted);
});

/** The test compares the reads in the rules with those that `ruleReads` and the count of file requests assume. */
it('the rules read the documents that the count assumes', async () => {
  const read = async (file: string, call: RegExp): Promise<readonly string[]> => {
    const text = (await readFile(file, 'utf8')).replaceAll(/\/\/.*$/gm, '');
    return [
      ...new Set(
        [...text.matchAll(call)].map(([, path = '']) => path.split('/documents/')[1] ?? ''),
      ),
    ];
  };
  const firestore = /\b(?:get|exists|getAfter)\((\/databases.*?)\)(?=[.\s])/g;
  expect(await read(deployedFiles.firestoreRules, firestore)).toEqual([
    'sync/$(request.auth.uid)',
    'pets/$(petId)',
  ]);
  const storage = /\bfirestore\.\w+\((\/databases.*?\))\)/g;
  expect(await read(deployedFiles.storageRules, storage)).toEqual(['pets/$(petId)']);
});
