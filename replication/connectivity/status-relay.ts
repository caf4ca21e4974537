import * as v from 'valibot';
import {
  relayMessageSchema,
  type PokeReason,
  type RelayMessage,
  type SyncStatus,
} from '../../schemas/local/relay-message.ts';
import type { Coordinator } from '../documents/coordinator.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';

export type StatusRelay = ReturnType<typeof createStatusRelay>;

interface StatusRelayDeps {
  readonly uid: string;
  readonly openChannel: OpenChannel;
  readonly coordinator: Pick<Coordinator, 'isActive' | 'status' | 'watch' | 'poke'>;
}

function channelName(uid: string): string {
  return `pawpals-sync:${uid}`;
}

/** Pokes the tab that syncs, because the connection is back. */
export function pokeTabs(uid: string, openChannel: OpenChannel): void {
  const channel = openChannel(channelName(uid));
  const message: RelayMessage = { type: 'poke', reason: 'online' };
  channel.post(message);
  channel.close();
}

/**
 * Relays the status of the tab that syncs to every tab, and pokes of the others to that tab.
 *
 * - The tab that holds the lock publishes its status; the others request it when they start.
 * - A tab with a problem of its own (it cannot hold the lock) shows that problem.
 * - A poke of a tab that does not hold the lock goes to the holder.
 * - It is a hint only: a lost message leaves a stale status on a screen, and loses no data.
 */
export function createStatusRelay({ uid, openChannel, coordinator }: StatusRelayDeps) {
  const channel = openChannel(channelName(uid));
  const watchers = new Set<(status: SyncStatus) => void>();
  let heard: SyncStatus = coordinator.status();

  let isClosed = false;

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
    /** @returns a function that stops watching. */
    watch: (onChange: (status: SyncStatus) => void) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    /** Pokes the tab that syncs. After the end, what was written waits for the next start. */
    passOn: (reason: PokeReason) => {
      if (!isClosed) send({ type: 'poke', reason });
    },
    close: () => {
      isClosed = true;
      unwatch();
      channel.close();
    },
  };
}
