import type { Backend } from '../../../src/server.ts';
import { isJsonObject } from '../../../src/json.ts';
import { testPassword, newEmail } from './sdk-user.ts';

/** Plain requests, for what the SDK would never send. */
export function rawClient(backend: Pick<Backend, 'port'>) {
  const origin = `http://127.0.0.1:${backend.port}`;
  const documents = '/v1/projects/demo-pawpals/databases/(default)/documents';
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(origin + path, { method: 'POST', body, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text };
  };
  const json = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
    const response = await post(path, JSON.stringify(body), headers);
    const parsed: unknown = JSON.parse(response.text);
    return { ...response, body: parsed };
  };
  return {
    origin,
    documents,
    post,
    json,
    account: (method: string, body: unknown) =>
      json(`/identitytoolkit.googleapis.com/v1/accounts:${method}?key=k`, body),
    firestore: (method: string, body: unknown, token?: string) =>
      json(`${documents}:${method}`, body, token === undefined ? {} : bearer(token)),
    refresh: (token: string) =>
      post(
        '/securetoken.googleapis.com/v1/token?key=k',
        new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token }).toString(),
      ),
    async signUp(email = newEmail()) {
      const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp';
      const { body } = await json(path, { email, password: testPassword });
      if (!isJsonObject(body)) throw new Error('no account');
      return {
        email,
        idToken: String(body['idToken']),
        uid: String(body['localId']),
        refreshToken: String(body['refreshToken']),
      };
    },
  };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
