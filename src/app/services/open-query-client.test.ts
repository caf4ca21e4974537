import { CancelledError, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RemoteError } from '../../../replication/ports.ts';
import { createConnection } from '../../platform/connection.ts';
import { openAnswers, type OpenAnswers } from './open-query-client.ts';

const connection = createConnection({ isOnline: () => true, watch: () => () => undefined });
const noAnswer = new RemoteError('transient', 'unavailable');
let answers: OpenAnswers;

beforeEach(() => {
  vi.useFakeTimers();
  connection.note(true);
  answers = openAnswers(connection);
});

afterEach(() => {
  answers.close();
  vi.useRealTimers();
});

/** Creates a server that counts its requests. */
function countingServer() {
  let count = 0;
  return vi.fn<() => Promise<number>>(async () => (count += 1));
}

/** Renders a screen that shows the answer. */
async function openScreen(ask: () => Promise<number>) {
  const observer = new QueryObserver(answers.client, { queryKey: ['count'], queryFn: ask });
  const leave = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(0);
  return { shown: () => observer.getCurrentResult(), leave };
}

describe('an answer', () => {
  it('is asked for once for all screens that want it', async () => {
    const ask = countingServer();
    const [first, second] = await Promise.all([openScreen(ask), openScreen(ask)]);
    expect([first.shown().data, second.shown().data]).toEqual([1, 1]);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('is used for 60 seconds, and asked for anew after them', async () => {
    const ask = countingServer();
    const first = await openScreen(ask);
    await vi.advanceTimersByTimeAsync(59_000);
    const second = await openScreen(ask);
    expect(second.shown().data).toBe(1);
    await vi.advanceTimersByTimeAsync(1_001);
    const third = await openScreen(ask);
    expect([first.shown().data, third.shown().data]).toEqual([2, 2]);
  });

  it('is kept for 60 seconds after the last screen that shows it', async () => {
    const { leave } = await openScreen(countingServer());
    await vi.advanceTimersByTimeAsync(120_000);
    leave();
    await vi.advanceTimersByTimeAsync(59_999);
    expect(answers.client.getQueryData(['count'])).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers.client.getQueryData(['count'])).toBeUndefined();
  });

  it('stays on the screen when a later request for it fails', async () => {
    const ask = countingServer();
    const { shown, leave } = await openScreen(ask);
    await vi.advanceTimersByTimeAsync(60_001);
    connection.note(false);
    ask.mockRejectedValueOnce(noAnswer);
    const again = await openScreen(ask);
    expect(again.shown()).toMatchObject({ data: 1, isError: true, isLoadingError: false });
    expect(shown().data).toBe(1);
    leave();
  });

  it('is forgotten at the end of the session, also one that is on its way', async () => {
    const { leave } = await openScreen(countingServer());
    leave();
    let arrive: (count: number) => void = () => undefined;
    const late = answers.client.fetchQuery({
      queryKey: ['late'],
      queryFn: () => new Promise<number>((resolve) => (arrive = resolve)),
    });
    const failure = late.catch((error: unknown) => error);
    answers.close();
    arrive(7);
    expect(await failure).toBeInstanceOf(CancelledError);
    await vi.runAllTimersAsync();
    expect(answers.client.getQueryCache().getAll()).toEqual([]);
  });
});

describe('a request that fails', () => {
  it('is tried once more while there is a connection', async () => {
    const ask = countingServer().mockRejectedValueOnce(noAnswer);
    const { shown } = await openScreen(ask);
    expect(shown().isPending).toBe(true);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown().data).toBe(1);
    ask.mockRejectedValue(noAnswer);
    const retried = shown().refetch();
    await vi.runAllTimersAsync();
    await retried;
    expect(ask).toHaveBeenCalledTimes(4);
  });

  it('is not tried again after a refusal', async () => {
    const ask = countingServer().mockRejectedValue(
      new RemoteError('permanent', 'permission-denied'),
    );
    const { shown } = await openScreen(ask);
    expect(shown().isLoadingError).toBe(true);
    await vi.runOnlyPendingTimersAsync();
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it('fails at once without a connection, and is sent again when there is one', async () => {
    connection.note(false);
    const ask = countingServer().mockRejectedValueOnce(noAnswer);
    const { shown } = await openScreen(ask);
    expect(shown().isLoadingError).toBe(true);
    connection.note(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(shown().data).toBe(1);
  });
});

it('a request that is answered tells that there is a connection', async () => {
  connection.note(false);
  const { shown } = await openScreen(countingServer());
  expect(shown().data).toBe(1);
  expect(connection.isOnline()).toBe(true);
});
