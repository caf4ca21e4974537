import type { Wire } from '../../backend/tests/support/clients/wire.ts';
import type { PostJson } from '../backend/rest-owner.ts';

/** Sends the requests of an owner with the wire's network address. */
export const postBy =
  (wire: Wire): PostJson =>
  async (path, body, idToken) => {
    const { status, bytes } = await wire.ask({
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/json',
        ...(idToken === undefined ? {} : { authorization: `Bearer ${idToken}` }),
      },
      body: JSON.stringify(body),
    });
    const text = bytes.toString();
    if (status !== 200) throw new Error(`The backend said ${status}: ${text}`);
    const answer: unknown = JSON.parse(text);
    return answer;
  };
