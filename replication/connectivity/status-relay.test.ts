import { describe, expect, it } from 'vitest';
import type { PokeReason, SyncStatus } from '../../schemas/local/relay-message.ts';
import { settlePromises } from '../../tests/support/fakes/fake-clock.ts';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import { createStatusRelay, type StatusRelay } from './status-relay.ts';

const uid = 'owner-1';

interface FakeCoordinator {
  active: boolean;
  readonly pokes: PokeReason[];
  show(status: SyncStatus): void;
  readonly port: Parameters<typeof createStatusRelay>[0]['coordinator'];
}

function createFakeCoordinator(active: boolean): FakeCoordinator {
  let shown: SyncStatus = { phase: 'idle', problem: null };
  const watchers = new Set<(status: SyncStatus) => void>();
  const pokes: PokeReason[] = [];
  const fake: FakeCoordinator = {
    active,
    pokes,
    show: (status) => {
      shown = status;
      for (const watcher of watchers) watcher(status);
    },
    port: {
      isActive: () => fake.active,
      status: () => shown,
      watch: (onChange) => {
        watchers.add(onChange);
        return () => watchers.delete(onChange);
      },
      poke: (reason) => {
        pokes.push(reason);
      },
    },
  };
  return fake;
}

function createTabs() {
  const openChannel = createMemoryChannels();
  const leader = createFakeCoordinator(true);
  const follower = createFakeCoordinator(false);
  const open = (coordinator: FakeCoordinator): StatusRelay =>
    createStatusRelay({ uid, openChannel, coordinator: coordinator.port });
  return { openChannel, leader, follower, open };
}

describe('the status relay', () => {
  it('D10.3 shows the leader its own status', () => {
    const { leader, open } = createTabs();
    const relay = open(leader);
    leader.show({ phase: 'syncing', problem: null });
    expect(relay.status()).toEqual({ phase: 'syncing', problem: null });
  });

  it('D10.3 shows the others what the leader publishes', async () => {
    const { leader, follower, open } = createTabs();
    open(leader);
    const relay = open(follower);
    const seen: SyncStatus[] = [];
    const unwatch = relay.watch((status) => seen.push(status));
    leader.show({ phase: 'problem', problem: 'account-refused' });
    await settlePromises();
    expect(relay.status()).toEqual({ phase: 'problem', problem: 'account-refused' });
    expect(seen.at(-1)).toEqual(relay.status());
    unwatch();
    const count = seen.length;
    leader.show({ phase: 'idle', problem: null });
    await settlePromises();
    expect(seen).toHaveLength(count);
  });

  it('D10.3 shows a tab that can never lead its own problem', async () => {
    const { leader, follower, open } = createTabs();
    open(leader);
    const relay = open(follower);
    leader.show({ phase: 'syncing', problem: null });
    follower.show({ phase: 'problem', problem: 'no-lock' });
    await settlePromises();
    expect(relay.status()).toEqual({ phase: 'problem', problem: 'no-lock' });
  });

  it('D10.3 asks the leader when a tab starts late', async () => {
    const { leader, follower, open } = createTabs();
    open(leader);
    leader.show({ phase: 'offline', problem: null });
    await settlePromises();
    const late = open(follower);
    await settlePromises();
    expect(late.status()).toEqual({ phase: 'offline', problem: null });
  });

  it('D10.3 passes a poke on to the leader, once', async () => {
    const { leader, follower, open } = createTabs();
    open(leader);
    const relay = open(follower);
    open(createFakeCoordinator(false));
    relay.passOn('manual');
    await settlePromises();
    expect(leader.pokes).toEqual(['manual']);
    expect(follower.pokes).toEqual([]);
  });

  it('D10.3 goes over to a tab that becomes the leader', async () => {
    const { leader, follower, open } = createTabs();
    const first = open(leader);
    const second = open(follower);
    leader.active = false;
    follower.active = true;
    follower.show({ phase: 'syncing', problem: null });
    await settlePromises();
    expect(first.status()).toEqual({ phase: 'syncing', problem: null });
    expect(second.status()).toEqual({ phase: 'syncing', problem: null });
  });

  it('D10.3 ignores what it does not understand, as from another version', async () => {
    const { openChannel, leader, follower, open } = createTabs();
    open(leader);
    const relay = open(follower);
    await settlePromises();
    const stranger = openChannel(`pawpals-sync:${uid}`);
    stranger.post({ type: 'status', status: { phase: 'dancing', problem: null } });
    stranger.post('hello');
    await settlePromises();
    expect(relay.status()).toEqual({ phase: 'idle', problem: null });
  });

  it('D10.3 is silent after it was closed', async () => {
    const { leader, follower, open } = createTabs();
    open(leader);
    const relay = open(follower);
    await settlePromises();
    relay.close();
    leader.show({ phase: 'syncing', problem: null });
    await settlePromises();
    expect(relay.status()).toEqual({ phase: 'idle', problem: null });
    // A write that ends only now must not fail by its hint.
    expect(() => relay.passOn('local-write')).not.toThrow();
  });
});
