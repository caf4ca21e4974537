import type { rawClient } from './raw-client.ts';
import { channelPath, encodeForward } from './web-channel.ts';

interface Forward {
  readonly offset?: number;
  readonly token?: string | undefined;
  readonly headers?: Record<string, string>;
}

/** A client of a channel that writes its own requests, and reads what the server says by long polling. */
export function rawChannel(client: ReturnType<typeof rawClient>, name: 'Listen' | 'Write') {
  const path = channelPath(name);
  const forward = (query: string, text: readonly string[], options: Forward = {}) => {
    const { offset = 0, token, headers } = options;
    return client.post(`${path}?${query}`, encodeForward(text, offset, token), headers);
  };
  return {
    forward,
    async open(messages: readonly unknown[] = [], token?: string) {
      const texts = messages.map((each) => JSON.stringify(each));
      const { text } = await forward('VER=8&RID=1', texts, { token });
      const sid = /\["c","([^"]+)"/.exec(text)?.[1] ?? '';
      let read = 0;
      return {
        sid,
        post: (offset: number, ...later: readonly string[]) =>
          forward(`VER=8&RID=2&SID=${sid}`, later, { offset }),
        /** The next messages of the server. */
        async next(): Promise<string> {
          const query = `VER=8&RID=rpc&SID=${sid}&AID=${read}&CI=1`;
          const answer = await (await fetch(`${client.origin}${path}?${query}`)).text();
          read += answer.match(/\[\d+,\[/g)?.length ?? 0;
          return answer;
        },
      };
    },
  };
}
