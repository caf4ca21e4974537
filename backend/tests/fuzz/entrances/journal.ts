/** Keeps what is sent at the moment and what was sent last, so that a failure can say what led to it. */
export interface Journal {
  /** Notes an input before it is sent; the function that it returns notes that it was answered. */
  begin(entrance: string, input: string): () => void;
  /** All inputs that are on their way, and the last ones of each entrance. */
  report(): string;
  /** How many inputs each entrance has had. */
  counts(): string;
}

const KEPT = 3;
const SHOWN_CHARS = 2000;

const shorten = (text: string): string =>
  text.length <= SHOWN_CHARS
    ? text
    : `${text.slice(0, SHOWN_CHARS)} … and ${text.length - SHOWN_CHARS} characters more`;

export function createJournal(): Journal {
  const running = new Map<number, string>();
  const answered = new Map<string, string[]>();
  const counts = new Map<string, number>();
  let inputs = 0;
  return {
    begin(entrance, input) {
      const id = inputs++;
      running.set(id, `${entrance}: ${shorten(input)}`);
      counts.set(entrance, (counts.get(entrance) ?? 0) + 1);
      return () => {
        running.delete(id);
        answered.set(entrance, [...(answered.get(entrance) ?? []), input].slice(-KEPT));
      };
    },
    report() {
      const last = [...answered].flatMap(([entrance, list]) =>
        list.map((each) => `${entrance}: ${shorten(each)}`),
      );
      return ['On their way:', ...running.values(), 'Answered last:', ...last].join('\n');
    },
    counts: () => [...counts].map(([entrance, count]) => `${entrance} ${count}`).join(', '),
  };
}
