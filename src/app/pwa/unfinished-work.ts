import type { createStore } from 'jotai';
import type { MessageChannel } from '../../../store/rxdb/message-channel.ts';
import type { Clock } from '../../../replication/ports.ts';
import { transferAtom } from '../../features/storage/transfer-atom.ts';
import { firstValue } from '../../lib/async/first-value.ts';
import { dataAtom } from '../session/session-controller.ts';

/** The kinds of work that a reload would interrupt. None of them loses data. */
export type UnfinishedWork = 'recording' | 'writing' | 'transfer' | 'sending';

const kinds: readonly UnfinishedWork[] = ['recording', 'writing', 'transfer', 'sending'];
const question = 'what is unfinished?';
/** A tab that is alive answers within milliseconds; a frozen one has no work in progress. */
const answerTimeMs = 400;

export interface UnfinishedWorkDeps {
  readonly channel: MessageChannel;
  readonly clock: Pick<Clock, 'after'>;
  /** Finds the unfinished work of this tab. */
  readonly find: () => Promise<UnfinishedWork | null>;
}

/** Answers the questions of other tabs. @returns a function that looks in this tab first, then asks the others. */
export function watchUnfinishedWork(
  deps: UnfinishedWorkDeps,
): () => Promise<UnfinishedWork | null> {
  const { channel, clock, find } = deps;
  let heard: UnfinishedWork | null = null;

  const answer = async (): Promise<void> => {
    const found = await find();
    if (found !== null) channel.post(found);
  };
  channel.listen((message) => {
    if (message === question) answer().catch(() => undefined);
    else heard = kinds.find((kind) => kind === message) ?? heard;
  });

  return async () => {
    const own = await find();
    if (own !== null) return own;
    heard = null;
    channel.post(question);
    await new Promise<void>((resolve) => {
      clock.after(answerTimeMs, resolve);
    });
    // Work may have begun in this tab while the others answered.
    return heard ?? find();
  };
}

const textTypes = new Set(['text', 'email', 'password', 'search', 'date']);

function isText(field: Element): field is HTMLInputElement | HTMLTextAreaElement {
  return (
    field instanceof HTMLTextAreaElement ||
    (field instanceof HTMLInputElement && textTypes.has(field.type))
  );
}

/** Whether a field for text has the focus. */
export function isTyping({ activeElement }: Document): boolean {
  return activeElement !== null && isText(activeElement);
}

/**
 * Whether any field of the page holds text, such as a form that was opened and not sent, or a half-written note. A canvas
 * holds a chosen photo that is being cropped. What is searched for is in the page's address.
 */
export function isSomethingWritten(page: Document): boolean {
  if (page.querySelector('canvas') !== null) return true;
  return [...page.querySelectorAll('input, textarea')].some(
    (field) => isText(field) && field.type !== 'search' && field.value.trim() !== '',
  );
}

export interface Tab {
  readonly store: Pick<ReturnType<typeof createStore>, 'get'>;
  readonly page: Document;
  /** Returns the ids of the recordings in progress, in any tab. */
  readonly recordings: () => Promise<ReadonlySet<string>>;
  readonly isOnline: () => boolean;
}

/** Whether a file of the owner who is signed in now is being uploaded. One that is only tried again may wait for long. */
async function isSending({ store, isOnline }: Tab): Promise<boolean> {
  const files = store.get(dataAtom)?.files.getSnapshot();
  if (files === undefined || !isOnline()) return false;
  const jobs = await firstValue(files.jobs());
  return jobs.some(({ stage, attempts }) => stage === 'uploading' && attempts === 0);
}

/** Finds the unfinished work of a tab. */
export async function findUnfinished(tab: Tab): Promise<UnfinishedWork | null> {
  if ((await tab.recordings()).size > 0) return 'recording';
  if (isSomethingWritten(tab.page)) return 'writing';
  if (tab.store.get(transferAtom).step === 'running') return 'transfer';
  return (await isSending(tab)) ? 'sending' : null;
}
