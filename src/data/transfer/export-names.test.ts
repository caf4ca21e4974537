import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../tests/support/setups/test-outbox.ts';
import { addSpoken, setUpTransfers, textIn } from '../../../tests/support/setups/transfer-setup.ts';

describe('the folders of an export', () => {
  it('are called Dog for a name that no folder can have, each with a name of its own', async () => {
    const device = await setUpTransfers();
    for (const name of ['///', '...']) await device.commands.createPet({ name });
    const { zip } = await device.exportAll();
    const titles = [await textIn(zip, 'Dog/journal.md'), await textIn(zip, 'Dog 2/journal.md')];
    expect(new Set(titles.map((page) => page.split('\n')[0]))).toEqual(new Set(['# ...', '# ///']));
  });
});

describe('an interrupted recording in an export', () => {
  it('is in the journal once, whether its entry was written or not, between the notes of its time', async () => {
    const device = await setUpTransfers();
    const { commands, files, petId } = device;
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf('interrupted'), 4_000);
    await recording.finish(4_000);
    await addSpoken(device, 'kept', 5_000);
    await commands.addNote({ petId, text: 'Long before', createdDate: 1_000 });
    const { zip } = await device.exportAll();
    const page = await textIn(zip, 'Bramble/journal.md');
    expect(page.match(/Voice note/g)).toHaveLength(2);
    expect(page.indexOf('Long before')).toBeGreaterThan(page.lastIndexOf('Voice note'));
  });
});
