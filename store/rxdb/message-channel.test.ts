import { expect, it, onTestFinished, vi } from 'vitest';
import { openBroadcastChannel, type MessageChannel } from './message-channel.ts';

function openChannel(name: string): MessageChannel {
  const channel = openBroadcastChannel(name);
  onTestFinished(() => channel.close());
  return channel;
}

it('reaches every other channel of that name, not itself, and nobody with another name', async () => {
  const name = crypto.randomUUID();
  const [sender, one, other] = [openChannel(name), openChannel(name), openChannel(name)];
  const stranger = openChannel(`${name}-other`);
  const heard: string[] = [];
  for (const [who, channel] of Object.entries({ sender, one, other, stranger }))
    channel.listen((message) => void heard.push(`${who}: ${String(message)}`));
  sender.post('first');
  sender.post('second');
  await vi.waitFor(() => expect(heard).toHaveLength(4));
  expect(heard.toSorted()).toEqual(['one: first', 'one: second', 'other: first', 'other: second']);
});

it('delivers a copy of an object', async () => {
  const name = crypto.randomUUID();
  const [sender, receiver] = [openChannel(name), openChannel(name)];
  const heard: unknown[] = [];
  receiver.listen((message) => void heard.push(message));
  const message = { ids: ['a', 'b'] };
  sender.post(message);
  await vi.waitFor(() => expect(heard).toEqual([message]));
  expect(heard[0]).not.toBe(message);
});

it('hears nothing any more once it is closed', async () => {
  const name = crypto.randomUUID();
  const [sender, closed, open] = [openChannel(name), openChannel(name), openChannel(name)];
  const heard: string[] = [];
  closed.listen(() => void heard.push('closed'));
  open.listen(() => void heard.push('open'));
  closed.close();
  sender.post('hello');
  await vi.waitFor(() => expect(heard).toEqual(['open']));
});
