import type { MessageChannel, OpenChannel } from '../../../store/rxdb/message-channel.ts';

interface Member extends MessageChannel {
  readonly hear: (message: unknown) => void;
}

/** Creates the `BroadcastChannel`s of one origin: every member but the sender receives a message, asynchronously. */
export function createMemoryChannels(): OpenChannel {
  const rooms = new Map<string, Set<Member>>();
  return (name) => {
    const room = rooms.get(name) ?? new Set();
    rooms.set(name, room);
    const listeners: ((message: unknown) => void)[] = [];
    const member: Member = {
      hear: (message) => {
        if (room.has(member)) for (const listener of listeners) listener(message);
      },
      post: (message) => {
        if (!room.has(member)) throw new DOMException('The channel is closed', 'InvalidStateError');
        const others = [...room].filter((other) => other !== member);
        queueMicrotask(() => {
          for (const other of others) other.hear(structuredClone(message));
        });
      },
      listen: (onMessage) => {
        listeners.push(onMessage);
      },
      close: () => {
        room.delete(member);
      },
    };
    room.add(member);
    return member;
  };
}
