/** Keeps the inputs in flight and the latest ones, so that a failure report can include the inputs that led to it. */
export interface Journal {
  /** Notes an input before it is sent; the function that it returns notes how it was answered. */
  begin(entrance: string, input: string): (outcome: string | number) => void;
  /** Returns all inputs in flight, and the latest ones of each entrance. */
  report(): string;
  /** Returns the number of inputs by entrance and outcome. */
  counts(): string;
  total(): number;
}

const kept = 2;
const shownChars = 2000;
const shownCharsOfAnswered = 500;

/** Abridges tokens, which differ in each run, and long repetitions of one letter. */
export const abridge = (text: string): string =>
  text
    .replaceAll(/eyJ[\w.-]{100,}/g, 'TOKEN')
    .replaceAll(/(.)\1{99,}/g, (all, letter: string) => `<${all.length} times ${letter}>`);

function cut(text: string, length: number): string {
  const rest = text.length - length;
  return rest <= 0 ? text : `${text.slice(0, length)} … and ${rest} characters more`;
}

export function createJournal(): Journal {
  const running = new Map<number, string>();
  const answered = new Map<string, string[]>();
  const counts = new Map<string, Map<string, number>>();
  let inputs = 0;
  return {
    begin(entrance, input) {
      const id = inputs++;
      running.set(id, `${entrance}: ${cut(abridge(input), shownChars)}`);
      const outcomes = counts.get(entrance) ?? new Map<string, number>();
      counts.set(entrance, outcomes);
      return (outcome) => {
        running.delete(id);
        outcomes.set(String(outcome), (outcomes.get(String(outcome)) ?? 0) + 1);
        answered.set(entrance, [...(answered.get(entrance) ?? []), input].slice(-kept));
      };
    },
    report() {
      const last = [...answered].flatMap(([entrance, list]) =>
        list.map((each) => `${entrance}: ${cut(abridge(each), shownCharsOfAnswered)}`),
      );
      return ['On their way:', ...running.values(), 'Answered last:', ...last].join('\n');
    },
    total: () => inputs,
    counts: () =>
      [...counts]
        .map(([entrance, outcomes]) => {
          const parts = [...outcomes].toSorted(([a], [b]) => (a < b ? -1 : 1));
          return `${entrance} ${parts.map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`;
        })
        .join('; '),
  };
}
