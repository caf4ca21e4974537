import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../tests/support/temp-folder.ts';
import { createMailbox } from './mailbox.ts';

const dayMs = 24 * 3_600_000;

it('mails stay for a week, and other files for ever', async () => {
  const folder = await tempFolder();
  let nowMs = Date.parse('2026-11-01T08:00:00Z');
  const mailbox = createMailbox({
    folder,
    domain: 'localhost',
    print: () => undefined,
    nowMs: () => nowMs,
  });
  const deliver = () => mailbox.deliver({ to: 'a@example.com', subject: 'Hello', lines: ['you'] });
  const days = async () => (await readdir(folder)).map((name) => name.slice(0, 10)).toSorted();
  await writeFile(join(folder, '0-notes.txt'), 'mine');
  await deliver();
  nowMs += 6 * dayMs;
  await deliver();
  expect(await days()).toEqual(['0-notes.tx', '2026-11-01', '2026-11-07']);
  nowMs += 2 * dayMs;
  await deliver();
  expect(await days()).toEqual(['0-notes.tx', '2026-11-07', '2026-11-09']);
});
