import { enforceOptions, type BroadcastMethod } from 'broadcast-channel';

/**
 * How RxDB's instances in other tabs and in the worker are told of writes. The package that RxDB uses for it drops each
 * message whose sender's clock shows an earlier time than the listener's did when it began: after the clock was set back,
 * no tab would hear a younger one. Here a message is as late as can be, whatever the clocks show. The browser's channel
 * delivers nothing that was sent before the listener began.
 */
export const timelessMethod: BroadcastMethod<BroadcastChannel> = {
  type: 'native',
  canBeUsed: () => typeof self === 'object' && typeof BroadcastChannel === 'function',
  averageResponseTime: () => 150,
  microSeconds: () => Date.now() * 1_000,
  create: (name) => new BroadcastChannel(name),
  close: (channel) => channel.close(),
  postMessage: async (channel, message: unknown) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window's argument, not a channel's
    channel.postMessage(message);
  },
  onMessage: (channel, callback: ((message: object) => void) | null) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- each callback replaces the one before
    channel.onmessage = ({ data }: MessageEvent<object>) => callback?.({ ...data, time: Infinity });
  },
};

/** To be called before a database is opened. */
export function ignoreClocksOfTabs(): void {
  enforceOptions({ methods: timelessMethod });
}
