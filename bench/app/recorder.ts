/** The name of a list of the app. */
export type ListName = 'Dogs' | 'Journal';

/** Measures the app from inside its page. It is loaded before the app; times are milliseconds. */
export interface Recorder {
  /** Returns the time from the start of the visit until the first item of that list is painted. */
  firstItemAt(list: ListName): Promise<number>;
  /** Returns the times of the last note that was sent by Enter. */
  lastNote(): Promise<NoteSeen>;
  /** Returns the time from the last keystroke in the search until a hit of that word is painted. */
  found(word: string): Promise<number>;
  /** Deletes the search index, as on a device that was never searched. */
  forgetSearchIndex(): Promise<void>;
  /** Returns the longest task since the last call; 0 if none took more than 50. */
  longestTask(): number;
}

export interface NoteSeen {
  /** The number of frames from Enter until the note is shown, inclusive. */
  readonly frames: number;
  /** The time from Enter until that frame is painted. */
  readonly paintedMs: number;
  /** The time from Enter until the note is shown as stored. */
  readonly storedMs: number;
}

declare global {
  interface Window {
    readonly recorder: Recorder;
  }
}

let longest = 0;
let note: Promise<NoteSeen> | null = null;

function painted(): Promise<number> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.now()));
      port1.start();
      port2.postMessage(null);
    });
  });
}

function until(isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isSo()) return;
      observer.disconnect();
      resolve();
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true, characterData: true });
    look();
  });
}

function itemsOf(list: ListName): NodeListOf<Element> {
  return document.querySelectorAll(`[aria-label="${list}"] :is(li, [role="listitem"])`);
}

function itemWith(text: string): Element | undefined {
  return [...itemsOf('Journal')].findLast((item) => item.textContent.includes(text));
}

function framesUntil(isSo: () => boolean): Promise<number> {
  return new Promise((resolve) => {
    let frames = 0;
    const look = (): void => {
      frames += 1;
      if (isSo()) resolve(frames);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

function isStored(text: string): boolean {
  return itemWith(text)?.textContent.includes('Saving') === false;
}

async function firstItemOf(list: ListName): Promise<number> {
  await until(() => itemsOf(list).length > 0);
  return painted();
}

async function followNote(text: string, startMs: number): Promise<NoteSeen> {
  const stored = until(() => isStored(text)).then(() => performance.now() - startMs);
  const frames = await framesUntil(() => itemWith(text) !== undefined);
  return { frames, paintedMs: (await painted()) - startMs, storedMs: await stored };
}

addEventListener(
  'keydown',
  ({ key, target, timeStamp }) => {
    if (key !== 'Enter' || !(target instanceof HTMLTextAreaElement)) return;
    note = followNote(target.value, timeStamp);
  },
  true,
);

let typedAtMs = 0;

addEventListener(
  'keydown',
  ({ target, timeStamp }) => {
    if (target instanceof HTMLInputElement && target.type === 'search') typedAtMs = timeStamp;
  },
  true,
);

function isFound(word: string): boolean {
  const marks = [...document.querySelectorAll('[aria-label="Entries"] mark')];
  return marks.some(({ textContent }) => textContent.toLowerCase().startsWith(word));
}

function answerOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('not read')));
  });
}

async function forgetSearchIndex(): Promise<void> {
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await answerOf(indexedDB.open(name));
    if (database.objectStoreNames.contains('search')) {
      await answerOf(database.transaction('search', 'readwrite').objectStore('search').clear());
    }
    database.close();
  }
}

new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
}).observe({ type: 'longtask' });

// The observation starts at once, since a caller may ask late.
const firstItems = { Dogs: firstItemOf('Dogs'), Journal: firstItemOf('Journal') };

const recorder: Recorder = {
  firstItemAt: (list) => firstItems[list],
  lastNote: async () => {
    if (note === null) throw new Error('No note was written');
    return note;
  },
  found: async (word) => {
    await until(() => isFound(word));
    return (await painted()) - typedAtMs;
  },
  forgetSearchIndex,
  longestTask: () => {
    const found = longest;
    longest = 0;
    return found;
  },
};
Object.assign(window, { recorder });
