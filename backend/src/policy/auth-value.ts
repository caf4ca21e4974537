import type { AuthContext, User } from '../caller.ts';
import { memo } from '../memo.ts';
import { fromPlain } from '../firestore/values/plain-data.ts';
import { nullValue, type RuleValue } from '../rules/rule-value.ts';

const valueOf = memo(({ uid, claims }: AuthContext) => fromPlain({ uid, token: claims }));

/** Returns `request.auth`: null when nobody is signed in. */
export const authValue = (auth: User): RuleValue => (auth === null ? nullValue : valueOf(auth));
