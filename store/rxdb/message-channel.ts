/** Messages between the tabs and the worker of one origin. A channel does not receive its own messages. */
export interface MessageChannel {
  post(message: unknown): void;
  listen(onMessage: (message: unknown) => void): void;
  close(): void;
}

export type OpenChannel = (name: string) => MessageChannel;

/** Opens a `BroadcastChannel`. */
export const openBroadcastChannel: OpenChannel = (name) => {
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window's argument, not a channel's
      channel.postMessage(message);
    },
    listen: (onMessage) => {
      channel.addEventListener('message', ({ data }) => onMessage(data));
    },
    close: () => channel.close(),
  };
};
