import type { EnginePage } from './engine.ts';

/** Begins a transaction that reads entries for as long as the page runs. */
export function readWithoutEnd(page: EnginePage): Promise<null> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name = '' }) => name);
    const own = names.find((name) => /^pawpals-[a-z0-9_]+-[a-z0-9]+$/.test(name)) ?? 'none';
    return new Promise<null>((resolve, reject) => {
      const opening = indexedDB.open(own);
      opening.addEventListener('error', () => reject(new Error('not opened')));
      opening.addEventListener('success', () => {
        const entries = opening.result
          .transaction('journal_entries')
          .objectStore('journal_entries');
        const ask = (): void => {
          entries.count().addEventListener('success', ask);
          resolve(null);
        };
        ask();
      });
    });
  });
}

export interface TranscriptionResult {
  readonly contentType: string;
  /** SHA-256. */
  readonly hash: string;
  readonly seconds: number;
  /** Root mean square of all samples. */
  readonly level: number;
}

/** The recordings on this device, decoded by the browser itself. */
export function recordingsOn(page: EnginePage): Promise<TranscriptionResult[]> {
  return page.evaluate(async () => {
    const answerOf = <Result>(request: IDBRequest<Result>) =>
      new Promise<Result>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(new Error('not read')));
      });
    interface Row {
      readonly kind: string;
      readonly contentType: string;
      readonly bytes: ArrayBuffer;
    }
    const names = (await indexedDB.databases()).map(({ name = '' }) => name);
    const own = /^pawpals-[a-z0-9_]+-[a-z0-9]+$/;
    const database = await answerOf(indexedDB.open(names.find((name) => own.test(name)) ?? 'none'));
    const rows = await answerOf<Row[]>(database.transaction('bytes').objectStore('bytes').getAll());
    database.close();
    const heard = [];
    for (const { bytes, contentType } of rows.filter(({ kind }) => kind === 'voice-note')) {
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
      const hash = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
      const decoder = new OfflineAudioContext(1, 1, 48_000);
      const sound = await decoder.decodeAudioData(bytes.slice(0));
      const samples = sound.getChannelData(0);
      const sum = samples.reduce((total, sample) => total + sample * sample, 0);
      heard.push({
        contentType,
        hash,
        seconds: sound.duration,
        level: Math.sqrt(sum / Math.max(1, samples.length)),
      });
    }
    return heard;
  });
}
