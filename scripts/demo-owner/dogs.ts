import bramble from './bramble.json' with { type: 'json' };
import moss from './moss.json' with { type: 'json' };
import teal from './teal.json' with { type: 'json' };

interface SpokenNote {
  /** A recording beside this file. */
  readonly file: string;
  readonly text: string;
  readonly durationMs: number;
  readonly waveform: string;
}

type ByInstant<Value> = Readonly<Record<string, Value>>;

/** A dog of the demo owner with its journal. `createInstants` reads the keys of the maps. */
export interface DemoDog {
  readonly id: string;
  readonly name: string;
  readonly breed: string;
  readonly description: string;
  readonly born: { readonly when: string; readonly yearsEarlier: number };
  /** A JPEG beside this file. */
  readonly picture: string | null;
  readonly notes: ByInstant<string>;
  /** The first texts of notes that were edited. */
  readonly formerTexts: ByInstant<string>;
  readonly spoken: ByInstant<SpokenNote>;
}

export const demoDogs: readonly DemoDog[] = [bramble, moss, teal];
