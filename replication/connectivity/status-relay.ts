import * as v from 'valibot';
import {
  relayMessageSchema,
  type PokeReason,
  type RelayMessage,
  type SyncStatus,
} from '../../schemas/local/relay-message.ts';
import type { Coordinator } from '../documents/coordinator.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';

/**
 * Lets every tab show the sync of the one that does it, and ask for more.
 *
 * - The tab that holds the lock publishes its status; the others ask for it when they start.
 * - A tab with a problem of its own (it can hold no lock) shows that.
 * - A poke goes to whoever holds the lock.
 * - A hint only: a message that is lost costs a stale word on a screen, never data.
 */
export interface StatusRelay {
  status(): SyncStatus;
  /** @returns a function that stops watching. */
  watch(onChange: (status: SyncStatus) => void): () => void;
  poke(reason: PokeReason): void;
  close(): void;
}

export interface StatusRelayDeps {
  readonly uid: string;
  readonly openChannel: OpenChannel;
  readonly coordinator: Pick<Coordinator, 'isActive' | 'status' | 'watch' | 'poke'>;
}

function channelName(uid: string): string {
  return `pawpals-sync:${uid}`;
}

/** Asks whichever tab syncs to look at once: the connection is back. */
export function pokeTabs(uid: string, openChannel: OpenChannel): void {
  const channel = openChannel(channelName(uid));
  const message: RelayMessage = { type: 'poke', reason: 'online' };
  channel.post(message);
  channel.close();
}

export function createStatusRelay({ uid, openChannel, coordinator }: StatusRelayDeps): StatusRelay {
  const channel = openChannel(channelName(uid));
  const watchers = new Set<(status: SyncStatus) => void>();
  let heard: SyncStatus = coordinator.status();

  const send = (message: RelayMessage): void => channel.post(message);
  const current = (): SyncStatus => {
    const own = coordinator.status();
    return coordinator.isActive() || own.phase === 'problem' ? own : heard;
  };
  const tell = (): void => {
    for (const watcher of watchers) watcher(current());
  };
  const publish = (): void => {
    if (coordinator.isActive()) send({ type: 'status', status: coordinator.status() });
  };

  const receive = (message: RelayMessage): void => {
    if (message.type === 'ask') publish();
    else if (message.type === 'poke') {
      if (coordinator.isActive()) coordinator.poke(message.reason);
    } else {
      heard = message.status;
      tell();
    }
  };

  channel.listen((message) => {
    const parsed = v.safeParse(relayMessageSchema, message);
    if (parsed.success) receive(parsed.output);
  });
  const unwatch = coordinator.watch(() => {
    publish();
    tell();
  });
  send({ type: 'ask' });

  return {
    status: current,
    watch: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    poke: (reason) => {
      coordinator.poke(reason);
      if (!coordinator.isActive()) send({ type: 'poke', reason });
    },
    close: () => {
      unwatch();
      channel.close();
    },
  };
}
