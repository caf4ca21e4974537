export interface PrivacySection {
  readonly heading: string;
  readonly paragraphs: readonly string[];
}

/** The app's use of an owner's data. A change to that use changes this text, and the date on the page. */
export const privacySections: readonly PrivacySection[] = [
  {
    heading: 'In short',
    paragraphs: [
      'PawPals keeps a journal for your dogs. What you write is yours: it is used to show it to you on your devices, and for nothing else. There is no advertising, no analytics, no tracking, and nothing is sold or given away.',
    ],
  },
  {
    heading: 'What we keep',
    paragraphs: [
      'Your account: your email address, your name if you sign in with Google, which tells us nothing more, and your password in a form that cannot be read back.',
      'Your dogs: names, breeds, dates of birth, descriptions and pictures.',
      'Your journal: notes, voice notes, their transcripts, and the times at which you made them. Former versions of a note are shown for 30 days, and erased with its next change after that.',
      'What syncing needs: counters and times of changes, and a random number for each of your devices.',
    ],
  },
  {
    heading: 'Where it lies',
    paragraphs: [
      'First on your device, so that PawPals works without a connection. Then in the cloud (Firebase, a service of Google, or the server of whoever runs this copy of PawPals), so that your other devices have it and nothing is lost with a phone. Only your account can read it there; the server refuses everybody else.',
      'PawPals sets no cookies. What it stores on the device are your journal, who is signed in, drafts you have not finished, and the app itself.',
    ],
  },
  {
    heading: 'Voice notes',
    paragraphs: [
      'The microphone is used only while you record, and the page shows that it is. To turn a voice note into text, its recording is given to a speech recognition service from the server.',
    ],
  },
  {
    heading: 'Sharing',
    paragraphs: [
      'Nothing of yours is shown to trainers, organizations or other owners. The page Share with Trainer lists organizations and sends them nothing.',
    ],
  },
  {
    heading: 'Taking it out, and deleting it',
    paragraphs: [
      'Export everything, in the settings, makes one file of it. What only your device has can be exported from the Sync details and before you sign out.',
      'Signing out erases your journal from that device; the cloud keeps it. If you let a sign-in end with the browser session instead, what has been sent is erased when PawPals is opened the next time, and what has not been sent stays for you.',
      'Delete Account, in the settings, deletes your account at once, then your dogs, journal, pictures and recordings from the cloud, and everything on the device you do it from. Your other devices lose access. A deleted note leaves an empty marker, so that your other devices delete it too.',
    ],
  },
  {
    heading: 'Your rights',
    paragraphs: [
      'You may ask what is kept of you, have it corrected, handed to you or deleted, and complain to the data protection authority where you live.',
    ],
  },
];
