import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '../private-file.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly lines: readonly string[];
}

export interface MailboxOptions {
  readonly folder: string;
  /** The domain of the sender. */
  readonly domain: string;
  readonly print: (text: string) => void;
  readonly nowMs: () => number;
}

export type Mailbox = ReturnType<typeof createMailbox>;

/** Their codes are good for an hour. */
const keptMs = 7 * 24 * 3_600_000;

/** The beginning of a file's name; the names of later mails sort after it. */
const stampOf = (date: Date): string => date.toISOString().replaceAll(':', '-');

/**
 * Delivers mails locally instead of sending them: each is written atomically to a file that only the owner of the process
 * can read, and is printed on the terminal. Mails of an earlier week are deleted.
 */
export function createMailbox({ folder, domain, print, nowMs }: MailboxOptions) {
  return {
    async deliver(mail: Mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const date = new Date(nowMs());
      const file = join(folder, `${stampOf(date)}-${randomBytes(4).toString('hex')}.eml`);
      await writePrivateFile(file, toEml(mail, { date, domain }));
      print(toBlock(mail, file));
      const oldest = stampOf(new Date(date.getTime() - keptMs));
      for (const name of await readdir(folder)) {
        if (name.endsWith('.eml') && name < oldest) await rm(join(folder, name), { force: true });
      }
    },
  };
}

interface Sent extends Pick<MailboxOptions, 'domain'> {
  readonly date: Date;
}

/** Encodes a mail as 8bit text. Addresses and subject have been checked to be single lines. */
const toEml = ({ to, subject, lines }: Mail, { date, domain }: Sent): string =>
  [
    `From: PawPals <noreply@${domain}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${date.toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    ...lines,
    '',
  ].join('\r\n');

function toBlock({ to, subject, lines }: Mail, file: string): string {
  const body = lines.map((line) => (line === '' ? '│' : `│ ${line}`));
  return [`╭ Mail to ${to}: ${subject}`, '│', ...body, '│', `╰ kept as ${file}`].join('\n');
}
