import * as v from 'valibot';

/** A club or trainer that a dog may be shared with one day. Only the server has them. */
export const organizationSchema = v.object({
  tradingName: v.pipe(v.string(), v.trim(), v.minLength(1)),
  memberCount: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

export interface Organization extends v.InferOutput<typeof organizationSchema> {
  readonly id: string;
}
