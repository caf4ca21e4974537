import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EntryFields, PetFields } from '../../../schemas/documents/document.ts';
import { storedEntry, storedPet } from '../../../tests/support/fixtures/stored-documents.ts';
import { createJournalPage, missingName, summaryPage } from './export-pages.ts';

const morning = new Date(2024, 2, 3, 8, 5).getTime();
const evening = new Date(2024, 2, 3, 20, 15).getTime();
const dayBefore = new Date(2024, 2, 2, 9, 0).getTime();

const note = (createdDate: number, text: string) => ({
  row: storedEntry({ createdDate, type: 'note', text }),
  file: null,
});

const bramble = storedPet({ name: 'Bramble' });

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the page of a journal', () => {
  it('has the dog’s name, its picture and what is known of it', async () => {
    const pet = storedPet({
      name: 'Bramble',
      breed: 'Vizsla',
      dob: '2020-02-29',
      description: 'Likes water',
    });
    expect(await createJournalPage({ pet, picture: 'picture.jpg' }).toBlob().text()).toBe(
      [
        '# Bramble',
        '![Picture](picture.jpg)',
        'Breed: Vizsla  \nBorn: 2020-02-29',
        'Likes water',
        '',
      ].join('\n\n'),
    );
  });

  it('leaves out what is not known', async () => {
    const pageOf = (fields: PetFields): Promise<string> =>
      createJournalPage({ pet: storedPet(fields), picture: undefined })
        .toBlob()
        .text();
    expect(await pageOf({ name: 'Bramble' })).toBe('# Bramble\n\n');
    expect(await pageOf({ name: 'Bramble', breed: 'Vizsla' })).toBe(
      '# Bramble\n\nBreed: Vizsla\n\n',
    );
    expect(await pageOf({ name: 'Bramble', dob: '2020-02-29' })).toBe(
      '# Bramble\n\nBorn: 2020-02-29\n\n',
    );
  });

  it('says that a picture is missing', async () => {
    const page = createJournalPage({ pet: bramble, picture: null });
    expect(await page.toBlob().text()).toBe('# Bramble\n\nPicture (not in this file)\n\n');
  });

  it('of entries without a dog says so', async () => {
    const page = createJournalPage({ pet: null, picture: undefined });
    expect(await page.toBlob().text()).toBe('# Notes without a dog\n\n');
  });

  it('has the days and times of the zone in which the device is now', async () => {
    const written = Date.UTC(2024, 2, 3, 22, 30);
    const pageNow = (): Promise<string> => {
      const page = createJournalPage({ pet: bramble, picture: undefined });
      page.addEntry(note(written, 'hello'));
      return page.toBlob().text();
    };
    vi.stubEnv('TZ', 'Europe/London');
    expect(await pageNow()).toContain('## Sunday 3 March 2024\n\n**22:30**');
    vi.stubEnv('TZ', 'Asia/Tokyo');
    expect(await pageNow()).toContain('## Monday 4 March 2024\n\n**07:30**');
    expect(missingName('Bramble', written)).toBe('Bramble, 4 March 2024 at 07:30, voice note');
  });

  it('makes up no date for an entry without one', async () => {
    const page = createJournalPage({ pet: bramble, picture: undefined });
    page.addEntry({ row: storedEntry({ type: 'note', text: 'hello' }), file: null });
    page.addEntry(note(0, 'again'));
    const text = '# Bramble\n\n## No date\n\n**No date**  \nhello\n\n**No date**  \nagain\n\n';
    expect(await page.toBlob().text()).toBe(text);
    expect(missingName('Bramble', 0)).toBe('Bramble, No date, voice note');
  });

  it('groups the entries by day, each day once', async () => {
    const page = createJournalPage({ pet: bramble, picture: undefined });
    page.addEntry(note(evening, 'Late'));
    page.addEntry(note(morning, 'Early'));
    page.addEntry(note(dayBefore, 'Before'));
    // Some versions of Node write a comma after the weekday.
    expect((await page.toBlob().text()).replace(/(?<=day),/g, '')).toBe(
      [
        '# Bramble',
        '## Sunday 3 March 2024',
        '**20:15**  \nLate',
        '**08:05**  \nEarly',
        '## Saturday 2 March 2024',
        '**09:00**  \nBefore',
        '',
      ].join('\n\n'),
    );
  });

  it('has an entry without a text with its time', async () => {
    const page = createJournalPage({ pet: bramble, picture: undefined });
    page.addEntry({ row: storedEntry({ createdDate: morning, type: 'note' }), file: null });
    expect(await page.toBlob().text()).toMatch(/\n\n\*\*08:05\*\* {2}\n\n\n$/);
  });
});

describe('a voice note in the page', () => {
  const textOf = async (fields: EntryFields, file: string | null): Promise<string> => {
    const page = createJournalPage({ pet: bramble, picture: undefined });
    page.addEntry({
      row: storedEntry({ createdDate: morning, type: 'voice-note', ...fields }),
      file,
    });
    return (await page.toBlob().text()).split('2024\n\n')[1] ?? '';
  };

  it('links to its recording, with its duration and its text', async () => {
    expect(await textOf({ durationMs: 4_000, text: 'Ducks' }, 'voice-notes/a b.webm')).toBe(
      '**08:05** [Voice note, 0:04](voice-notes/a%20b.webm)\n\nDucks\n\n',
    );
  });

  it('says that its recording is missing', async () => {
    expect(await textOf({}, null)).toBe('**08:05** Voice note (not in this file)\n\n');
  });

  it('has a link that nothing in its name can end', async () => {
    expect(await textOf({}, "a/it's (1)].webm")).toContain('(a/it%27s%20(1)%5D.webm)');
  });
});

describe('text in the page', () => {
  const written = async (text: string): Promise<string> => {
    const page = createJournalPage({ pet: bramble, picture: undefined });
    page.addEntry(note(morning, text));
    return (await page.toBlob().text()).split('**08:05**  \n')[1] ?? '';
  };

  it.each([
    ['# Ducks', '\\# Ducks'],
    ['> Ducks', '\\> Ducks'],
    ['- Ducks', '\\- Ducks'],
    ['* Ducks', '\\* Ducks'],
    ['+ Ducks', '\\+ Ducks'],
    ['=== ', '\\=== '],
    ['| a |', '\\| a |'],
    ['~~~', '\\~~~'],
    ['`code`', '\\`code`'],
    ['1. Ducks', '1\\. Ducks'],
    ['12) Ducks', '12\\) Ducks'],
    ['10.30 Ducks', '10.30 Ducks'],
    ['Ducks &copy; &#42; & more', 'Ducks \\&copy; \\&#42; & more'],
    ['  # Ducks', '  \\# Ducks'],
    ['<b>', '\\<b>'],
    ['[a](b)', '\\[a\\](b)'],
    ['a\\b', 'a\\\\b'],
    ['Ducks # 1. - here', 'Ducks # 1. - here'],
  ])('%j is written as %j', async (text, expected) => {
    expect(await written(text)).toBe(`${expected}\n\n`);
  });

  it('keeps its lines and its paragraphs', async () => {
    expect(await written('one\ntwo\r\nthree\n\nfour')).toBe('one  \ntwo  \nthree\n\nfour\n\n');
  });
});

describe('the first page', () => {
  const input = {
    exportedAtMs: evening,
    pets: 2,
    notes: 1,
    voiceNotes: 0,
    missing: [],
    drafts: [],
    otherVersions: [],
  };

  it('says when it was exported, and how much there is', () => {
    const page = summaryPage(input);
    expect(page).toContain('Exported on 3 March 2024 at 20:15: 2 dogs, 1 note and 0 voice notes.');
    expect(page).toContain(
      'Settings, Import, to have the dogs and notes back.\n\nAll recordings and pictures are in it.',
    );
    for (const title of ['## Not in it', '## Drafts', '## Other versions'])
      expect(page).not.toContain(title);
  });

  it('lists the files that are missing', () => {
    const page = summaryPage({ ...input, missing: ['Bramble, picture', '<Rex>, picture'] });
    expect(page).toContain(
      '## Not in it\n\nThese could not be fetched, were still being recorded, or one file had no room for them.',
    );
    expect(page).toContain('\n- Bramble, picture\n- \\<Rex>, picture\n');
    expect(page).not.toContain('All recordings and pictures are in it.');
  });

  it('has the drafts, and the texts that a merge did not choose', () => {
    const page = summaryPage({
      ...input,
      drafts: ['one', '# two'],
      otherVersions: ['three', 'four'],
    });
    expect(
      page.endsWith('## Drafts\n\none\n\n\\# two\n\n## Other versions\n\nthree\n\nfour\n\n'),
    ).toBe(true);
  });
});

it('a missing file is named by its dog, and a recording by its time as well', () => {
  expect(missingName('Bramble', null)).toBe('Bramble, picture');
  expect(missingName('Bramble', evening)).toBe('Bramble, 3 March 2024 at 20:15, voice note');
});
