import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createMemoryChannels } from '../../tests/support/fakes/memory-channels.ts';
import type { OpenChannel } from '../../store/rxdb/message-channel.ts';
import { answerPings, pingEveryMs, pingsUntilFrozen, watchHolder } from './lock-watch.ts';

const uid = 'owner';
let clock: FakeClock;
let openChannel: OpenChannel;
let isVisible: boolean;
let frozen: number;

beforeEach(() => {
  clock = createFakeClock();
  openChannel = createMemoryChannels();
  isVisible = true;
  frozen = 0;
});

const watch = (owner = uid) =>
  watchHolder({ uid: owner, openChannel, clock, isVisible: () => isVisible }, () => {
    frozen += 1;
  });

const rounds = async (count: number): Promise<void> => {
  for (let round = 0; round < count; round += 1) await clock.advance(pingEveryMs);
};

describe('a tab that waits for the lock', () => {
  it('D11.3 finds the holder frozen after several pings without an answer, and says so once', async () => {
    watch();
    await rounds(pingsUntilFrozen);
    expect(frozen).toBe(0);
    await rounds(1);
    expect(frozen).toBe(1);
    await rounds(10);
    expect(frozen).toBe(1);
  });

  it('D11.3 never finds a holder frozen that answers', async () => {
    answerPings({ uid, openChannel });
    watch();
    await rounds(20);
    expect(frozen).toBe(0);
  });

  it('D11.3 counts only consecutive pings without an answer', async () => {
    watch();
    for (let time = 0; time < 5; time += 1) {
      await rounds(pingsUntilFrozen - 1);
      const stop = answerPings({ uid, openChannel });
      await rounds(1);
      stop();
    }
    expect(frozen).toBe(0);
    await rounds(pingsUntilFrozen + 1);
    expect(frozen).toBe(1);
  });

  it('D11.3 does not ask while nobody sees it, and starts to count anew afterwards', async () => {
    watch();
    await rounds(pingsUntilFrozen - 1);
    isVisible = false;
    await rounds(20);
    expect(frozen).toBe(0);
    isVisible = true;
    await rounds(pingsUntilFrozen);
    expect(frozen).toBe(0);
    await rounds(1);
    expect(frozen).toBe(1);
  });

  it('D11.3 stops when it is told to', async () => {
    const stop = watch();
    await rounds(2);
    stop();
    await rounds(20);
    expect(frozen).toBe(0);
  });

  it('is not answered by the holder of another owner', async () => {
    answerPings({ uid: 'other', openChannel });
    watch();
    await rounds(pingsUntilFrozen + 1);
    expect(frozen).toBe(1);
  });

  it('takes no other message for an answer', async () => {
    const names: string[] = [];
    openChannel = ((open) => (name) => {
      names.push(name);
      return open(name);
    })(openChannel);
    watch();
    const chatter = openChannel(names[0] ?? '');
    for (let round = 0; round <= pingsUntilFrozen; round += 1) {
      chatter.post('hello');
      await rounds(1);
    }
    expect(frozen).toBe(1);
  });
});

describe('the holder', () => {
  it('answers pings only, and none after it has stopped', async () => {
    const names: string[] = [];
    const named: OpenChannel = (name) => {
      names.push(name);
      return openChannel(name);
    };
    const stop = answerPings({ uid, openChannel: named });
    const tab = openChannel(names[0] ?? '');
    const heard: unknown[] = [];
    tab.listen((message) => void heard.push(message));
    tab.post('hello');
    tab.post('ping');
    await clock.settle();
    expect(heard).toEqual(['pong']);
    stop();
    tab.post('ping');
    await clock.settle();
    expect(heard).toHaveLength(1);
  });
});
