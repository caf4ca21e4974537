import { hostedSettings } from './hosted-build.ts';

/** A host that the built app may contact, and the directives of the content security policy that it needs. */
interface Contact {
  readonly host: string;
  readonly directives: readonly string[];
  /** A text that only code that contacts the host contains; the host's name if absent. */
  readonly marker?: string;
}

/** A path that only the Google sign-in contains; the host of its script is in every build of the SDK. */
const popup = '__/auth/handler';

const contacts: readonly Contact[] = [
  { host: 'firestore.googleapis.com', directives: ['connect-src'] },
  { host: 'identitytoolkit.googleapis.com', directives: ['connect-src'] },
  { host: 'securetoken.googleapis.com', directives: ['connect-src'] },
  // Pictures and audio files need no directive of their own: the app fetches them, and shows them as blobs.
  { host: 'firebasestorage.googleapis.com', directives: ['connect-src'] },
  { host: 'apis.google.com', directives: ['script-src'], marker: popup },
  {
    host: hostedSettings.VITE_FIREBASE_AUTH_DOMAIN,
    directives: ['frame-src'],
    marker: popup,
  },
];

/** The hosts that the code names and never contacts, each with the reason. */
const onlyNamed: ReadonlyMap<string, string> = new Map([
  ['www.w3.org', 'names of XML'],
  ['react.dev', 'errors explained'],
  ['rxdb.info', 'errors explained'],
  ['bit.ly', 'errors explained'],
  ['tinyurl.com', 'errors explained'],
  ['securetoken.google.com', 'the issuer of tokens'],
  ['capacitorjs.com', 'errors explained'],
  ['github.com', 'in comments'],
  ['tailwindcss.com', 'in comments'],
  ['localhost', 'a base for relative addresses'],
  ['accounts.google.com', 'the provider’s name; its page opens in a window of its own'],
  ['staging-identitytoolkit.sandbox.googleapis.com', 'Google’s own test environment'],
  ['test-identitytoolkit.sandbox.googleapis.com', 'Google’s own test environment'],
  ['www.google.com', 'the probe that the policy blocks on purpose, and reCAPTCHA, which is off'],
]);

const address = /(?:https?|wss?):\/\/([a-z0-9-]+(?:\.[a-z0-9-]+)*)/gi;
const bareHost =
  /\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:googleapis|google|gstatic|firebaseapp|firebaseio|cloudfunctions|web)\.(?:com|net|app)\b/g;

function namedHosts(text: string): ReadonlySet<string> {
  const inAddresses = [...text.matchAll(address)].map(([, host = '']) => host.toLowerCase());
  const bare = [...text.matchAll(bareHost)].map(([host]) => host);
  return new Set([...inAddresses, ...bare]);
}

/** Returns the hosts in the built text that neither list above contains. */
export function unknownHosts(text: string): string[] {
  const known = new Set(contacts.map(({ host }) => host));
  return [...namedHosts(text)].filter((host) => !known.has(host) && !onlyNamed.has(host));
}

/** Returns the hosts that each directive has to allow for the built text. */
export function neededHosts(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const needed = new Map<string, Set<string>>();
  for (const { host, directives, marker = host } of contacts) {
    if (!text.includes(marker)) continue;
    for (const name of directives) needed.set(name, (needed.get(name) ?? new Set()).add(host));
  }
  return needed;
}
