import { BroadcastChannel as PackageChannel } from 'broadcast-channel';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { timelessMethod } from './tab-messages.ts';

const name = 'tab-messages-test';
const closers: (() => unknown)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** What RxDB listens with. */
function openListener() {
  const channel = new PackageChannel(name, { methods: timelessMethod, type: 'native' });
  closers.push(() => channel.close());
  const heard = vi.fn<(message: unknown) => void>();
  channel.addEventListener('message', heard);
  return { channel, heard };
}

/** Another tab, whose messages tell its own time. */
function openTab() {
  const tab = new BroadcastChannel(name);
  closers.push(() => tab.close());
  return (time: number, data: string): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window's argument, not a channel's
    tab.postMessage({ time, type: 'message', data });
  };
}

describe('messages between tabs', () => {
  it('are heard from a tab whose clock shows an earlier time than the listener began at', async () => {
    const { heard } = openListener();
    const post = openTab();
    post(1, 'written after the clock was set back');
    await vi.waitFor(() =>
      expect(heard).toHaveBeenCalledWith('written after the clock was set back'),
    );
  });

  it('are sent with the time that an earlier version of the app compares', async () => {
    const { channel } = openListener();
    const raw = new BroadcastChannel(name);
    closers.push(() => raw.close());
    const times: number[] = [];
    raw.addEventListener('message', ({ data }: MessageEvent<{ time: number }>) =>
      times.push(data.time),
    );
    const sinceMs = Date.now() * 1_000;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a window's argument, not a channel's
    await channel.postMessage('hello');
    await vi.waitFor(() => expect(times).toHaveLength(1));
    expect(times[0]).toBeGreaterThanOrEqual(sinceMs);
  });

  it('are no longer heard after the listener has gone', async () => {
    const { channel, heard } = openListener();
    const other = openListener();
    channel.removeEventListener('message', heard);
    openTab()(1, 'late');
    await vi.waitFor(() => expect(other.heard).toHaveBeenCalledWith('late'));
    expect(heard).not.toHaveBeenCalled();
  });
});
