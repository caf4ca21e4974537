import type { FuzzWrite } from './fuzz-client.ts';
import type { Random } from './random.ts';

export type FuzzStep =
  | { readonly kind: 'write'; readonly client: number; readonly write: FuzzWrite }
  | { readonly kind: 'outsider'; readonly id: string; readonly n: number | null }
  | { readonly kind: 'cut' | 'swallow' | 'forget'; readonly client: number }
  | { readonly kind: 'outage' | 'recover'; readonly client: number }
  | { readonly kind: 'offline' | 'online'; readonly client: number }
  | { readonly kind: 'kill'; readonly outageMs: number }
  | { readonly kind: 'wait'; readonly ms: number };

const ids = Array.from({ length: 24 }, (_, at) => `d${at}`);

/** Creates a schedule of steps that the seed determines; their timing depends on the machine. */
export function createSchedule(random: Random, clients: number): () => FuzzStep {
  let marks = 0;
  let sinceKill = 0;
  const offline = new Set<number>();
  const down = new Set<number>();

  const write = (): FuzzWrite => {
    const id = random.pick(ids);
    const n = random.below(100);
    switch (random.below(10)) {
      case 0:
      case 8:
      case 9:
        return { kind: 'delete', id };
      case 1:
        return { kind: 'increment', id: `sum${random.below(3)}` };
      case 2:
        return { kind: 'add', mark: `mark${marks++}` };
      case 3:
        return { kind: 'merge', id, n: random.below(3) };
      case 4:
        return { kind: 'pair', n };
      default:
        return { kind: 'set', id, n };
    }
  };

  return () => {
    const client = random.below(clients);
    const chance = random.below(100);
    sinceKill++;
    if (chance < 45) return { kind: 'write', client, write: write() };
    if (chance < 60) {
      return { kind: 'outsider', id: random.pick(ids), n: chance < 52 ? null : random.below(100) };
    }
    if (chance < 66) return { kind: 'cut', client };
    if (chance < 71) return { kind: 'swallow', client };
    if (chance < 74) return { kind: 'forget', client };
    // The SDK opens a second pair of streams when it is told twice that it is online.
    if (chance < 77 && !offline.has(client)) {
      offline.add(client);
      return { kind: 'offline', client };
    }
    if (chance < 82 && offline.delete(client)) return { kind: 'online', client };
    if (chance < 84 && !down.has(client)) {
      down.add(client);
      return { kind: 'outage', client };
    }
    if (chance < 88 && down.delete(client)) return { kind: 'recover', client };
    if (chance < 91 && sinceKill > 100) {
      sinceKill = 0;
      return { kind: 'kill', outageMs: random.below(1000) };
    }
    return { kind: 'wait', ms: random.below(40) };
  };
}
