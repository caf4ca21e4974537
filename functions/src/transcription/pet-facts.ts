import * as v from 'valibot';
import type { PetFacts } from './ports.ts';

const petSchema = v.object({
  ownerId: v.string(),
  name: v.fallback(v.nullish(v.string(), null), null),
  breed: v.fallback(v.nullish(v.string(), null), null),
});

/** @param data of `pets/{petId}`, as it is stored; null also for what has no owner. */
export function petFactsOf(data: unknown): PetFacts | null {
  const parsed = v.safeParse(petSchema, data);
  return parsed.success ? parsed.output : null;
}
