import * as v from 'valibot';
import type { PetFacts } from './ports.ts';

const petSchema = v.object({
  ownerId: v.string(),
  name: v.fallback(v.nullish(v.string(), null), null),
  breed: v.fallback(v.nullish(v.string(), null), null),
});

/** @param data the stored data of `pets/{petId}`. @returns null also for a document without an owner. */
export function petFactsOf(data: unknown): PetFacts | null {
  const parsed = v.safeParse(petSchema, data);
  return parsed.success ? parsed.output : null;
}
