import { somethingWentWrong } from '../../schemas/messages.ts';
import { CommandError } from './commands.ts';

/** What to tell the owner of a failure: a command's own sentence, or that something went wrong. */
export function commandSentence(error: unknown): string {
  return error instanceof CommandError ? error.message : somethingWentWrong;
}
