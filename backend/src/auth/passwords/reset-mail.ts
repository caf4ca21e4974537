import type { Mail } from './mailbox.ts';

export interface ResetMailFacts {
  readonly email: string;
  readonly code: string;
  readonly apiKey: string;
  readonly origin: string;
  readonly continueUrl: string;
}

/** The page of the app that asks for the new password; hosted projects set it as their action URL. */
const resetPage = '/auth/set-new-password';

export function composeResetMail(facts: ResetMailFacts): Mail {
  return {
    to: facts.email,
    subject: 'Choose a new password',
    lines: [
      'Hello,',
      '',
      `somebody, hopefully you, asked for a new password for ${facts.email}.`,
      'To choose one, follow this link:',
      '',
      linkOf(facts),
      '',
      'It works once, and for 60 minutes.',
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
  };
}

/** Returns the link, with the parameters of hosted action links. */
function linkOf({ origin, code, apiKey, continueUrl }: ResetMailFacts): string {
  const link = new URL(resetPage, origin);
  link.searchParams.set('mode', 'resetPassword');
  link.searchParams.set('oobCode', code);
  link.searchParams.set('apiKey', apiKey);
  if (continueUrl !== '') link.searchParams.set('continueUrl', continueUrl);
  link.searchParams.set('lang', 'en');
  return link.href;
}
