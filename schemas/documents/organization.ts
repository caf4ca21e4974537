import * as v from 'valibot';

/** A club or trainer with whom a pet may be shared in future. Only the server stores them. */
export const organizationSchema = v.object({
  tradingName: v.pipe(v.string(), v.trim(), v.minLength(1)),
  memberCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

export interface Organization extends v.InferOutput<typeof organizationSchema> {
  readonly id: string;
}
