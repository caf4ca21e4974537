import { isJsonObject } from '../../../src/json.ts';
import type { FirestoreError } from '../../../src/firestore/firestore-error.ts';
import type { StreamSink } from '../../../src/firestore/streams/stream.ts';

export interface RecordingSink extends StreamSink {
  /** Returns the messages since the last call, in a short form. */
  take(): unknown[];
  failure(): string | undefined;
}

/** Records the messages of a stream, each as one line that is easy to compare. */
export function createRecordingSink(): RecordingSink {
  let messages: unknown[] = [];
  let failure: string | undefined;
  return {
    send: (message) => void messages.push(message),
    drained: () => undefined,
    fail(error: FirestoreError) {
      failure ??= error.status;
    },
    take() {
      const taken = messages.map(summarize);
      messages = [];
      return taken;
    },
    failure: () => failure,
  };
}

const lastSegment = (name: unknown): string => String(name).split('/documents/')[1] ?? '';

function summarize(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  const { targetChange, documentChange, documentDelete, documentRemove } = message;
  if (isJsonObject(targetChange)) return summarizeTarget(targetChange);
  if (isJsonObject(documentChange) && isJsonObject(documentChange['document'])) {
    const { targetIds = [], removedTargetIds = [] } = documentChange;
    const path = lastSegment(documentChange['document']['name']);
    return `change ${path} in ${String(targetIds)} out ${String(removedTargetIds)}`;
  }
  for (const [word, removal] of [
    ['delete', documentDelete],
    ['remove', documentRemove],
  ] as const) {
    if (!isJsonObject(removal)) continue;
    return `${word} ${lastSegment(removal['document'])} out ${String(removal['removedTargetIds'])}`;
  }
  return message;
}

function summarizeTarget(change: Readonly<Record<string, unknown>>): string {
  const { targetChangeType, targetIds, cause, resumeToken, readTime } = change;
  const isSnapshot = resumeToken !== undefined && readTime !== undefined;
  if (targetChangeType === undefined) return isSnapshot ? 'SNAPSHOT' : 'incomplete snapshot';
  const code = isJsonObject(cause) ? ` ${String(cause['code'])}` : '';
  return `${JSON.stringify(targetChangeType)} ${String(targetIds)}${code}`.replaceAll('"', '');
}
