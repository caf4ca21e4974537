import { describe, expect, it, vi } from 'vitest';
import { createFakeClock, settlePromises } from '../../../../tests/support/fakes/fake-clock.ts';
import { deferred } from '../../../../tests/support/fakes/fake-data.ts';
import { CommandError } from '../../../data/commands/commands.ts';
import { MicrophoneError, type RecordingEvents } from '../../../platform/media/microphone.ts';
import { createVoiceRecorder } from './voice-recorder.ts';

function setUp() {
  const clock = createFakeClock();
  const stored: string[] = [];
  const happened: string[] = [];
  const recorded: unknown[] = [];
  const cancelled: unknown[] = [];
  const kept = { soon: Promise.resolve() };
  const state = { events: null as RecordingEvents | null, count: 0 };
  const faults = {
    open: async (): Promise<void> => undefined,
    begin: async (): Promise<void> => undefined,
    run: (): void => undefined,
    append: async (): Promise<void> => undefined,
    stop: async (): Promise<void> => undefined,
    finish: async (): Promise<boolean> => true,
  };
  const recorder = createVoiceRecorder({
    petId: 'pet',
    clock,
    keepAwake: () => {
      happened.push('awake');
      return () => happened.push('may sleep');
    },
    openMicrophone: async () => {
      await faults.open();
      happened.push('open');
      return {
        contentType: 'audio/webm',
        level: () => 0.5,
        start: (events) => {
          faults.run();
          state.events = events;
        },
        stop: () => faults.stop(),
        close: () => void happened.push('closed'),
      };
    },
    loadVoice: async () => ({
      begin: async () => {
        await faults.begin();
        state.count += 1;
        const id = `r${String(state.count)}`;
        return {
          id,
          append: async (bytes, untilMs) => {
            await faults.append();
            stored.push(`${id} ${String(bytes.byteLength)} ${String(untilMs)}`);
          },
          finish: () => faults.finish(),
          discard: async () => void happened.push(`discarded ${id}`),
        };
      },
    }),
    onRecorded: async (recording) => {
      recorded.push(recording);
      await kept.soon;
      return null;
    },
    onCancelled: (recording) => void cancelled.push(recording),
    onLeftProblem: () => undefined,
  });
  const settled = (phase: string) =>
    vi.waitFor(() => expect(recorder.getSnapshot().phase).toBe(phase));
  const start = async (): Promise<void> => {
    recorder.start();
    await settled('recording');
  };
  const chunk = (size = 1): void => state.events?.onChunk(new ArrayBuffer(size));
  const problem = () => recorder.getSnapshot().problem;
  return {
    clock,
    recorder,
    stored,
    happened,
    recorded,
    cancelled,
    kept,
    faults,
    settled,
    start,
    chunk,
    state,
    problem,
  };
}

describe('the voice recorder', () => {
  it('stores each chunk as it arrives, and passes on the recording, ten times in a row', async () => {
    const rig = setUp();
    for (let round = 1; round <= 10; round += 1) {
      await rig.start();
      await rig.clock.advance(500);
      rig.chunk(3);
      await vi.waitFor(() => expect(rig.stored).toHaveLength(round));
      await rig.clock.advance(1_000);
      rig.recorder.stop();
      await rig.settled('idle');
    }
    expect(rig.stored[9]).toBe('r10 3 500');
    expect(rig.recorded).toHaveLength(10);
    expect(rig.recorded[9]).toEqual({ id: 'r10', durationMs: 1_500 });
    expect(rig.happened.slice(0, 4)).toEqual(['open', 'awake', 'closed', 'may sleep']);
    expect(rig.problem()).toBeNull();
  });

  it('starts no recording before the one before is kept', async () => {
    const rig = setUp();
    const stored = deferred<undefined>();
    rig.kept.soon = stored.promise;
    await rig.start();
    await rig.clock.advance(2_000);
    rig.recorder.stop();
    await vi.waitFor(() => expect(rig.recorded).toHaveLength(1));
    rig.recorder.start();
    expect(rig.recorder.getSnapshot().phase).toBe('processing');
    stored.resolve(undefined);
    await rig.settled('idle');
    await rig.start();
  });

  it('goes on with a recording when a chunk of the one before, which was cancelled, cannot be stored', async () => {
    const rig = setUp();
    const full = deferred<undefined>();
    rig.faults.append = () => full.promise;
    await rig.start();
    await rig.clock.advance(2_000);
    rig.chunk();
    await settlePromises();
    rig.recorder.cancel();
    rig.faults.append = async () => undefined;
    await rig.start();
    full.reject(new CommandError('storage', 'No room.'));
    await settlePromises();
    expect(rig.recorder.getSnapshot()).toMatchObject({ phase: 'recording', problem: null });
  });

  it('drops one of less than a second, with a sentence', async () => {
    const rig = setUp();
    await rig.start();
    rig.chunk();
    await rig.clock.advance(900);
    rig.recorder.stop();
    await rig.settled('idle');
    expect(rig.problem()).toBe('Recording too short — hold for at least 1 second.');
    expect(rig.happened).toContain('discarded r1');
    expect(rig.recorded).toEqual([]);
  });

  it('ends by itself at 30 seconds', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(29_900);
    expect(rig.recorder.getSnapshot()).toMatchObject({ phase: 'recording', elapsedMs: 29_900 });
    await rig.clock.advance(100);
    await rig.settled('idle');
    expect(rig.recorded).toEqual([{ id: 'r1', durationMs: 30_000 }]);
  });

  it('keeps the chunks when the device ends the recording', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(2_000);
    rig.chunk();
    rig.state.events?.onEnded();
    await rig.settled('idle');
    expect(rig.recorded).toEqual([{ id: 'r1', durationMs: 2_000 }]);
  });

  it('ends a cancelled recording at once, completes it, and offers to take that back', async () => {
    const rig = setUp();
    const stopped = deferred<undefined>();
    rig.faults.stop = () => stopped.promise;
    await rig.start();
    await rig.clock.advance(2_000);
    rig.chunk();
    rig.recorder.cancel();
    await rig.clock.advance(500);
    expect(rig.recorder.getSnapshot()).toMatchObject({ phase: 'idle', elapsedMs: 0 });
    rig.chunk(2);
    stopped.resolve(undefined);
    await vi.waitFor(() => expect(rig.cancelled).toEqual([{ id: 'r1', durationMs: 2_000 }]));
    expect(rig.stored).toEqual(['r1 1 2000', 'r1 2 2500']);
    expect(rig.happened).toEqual(['open', 'awake', 'closed', 'may sleep']);
    expect(rig.recorded).toEqual([]);
  });

  it('discards a cancelled recording of less than a second, or without sound', async () => {
    const rig = setUp();
    await rig.start();
    rig.chunk();
    await rig.clock.advance(900);
    rig.recorder.cancel();
    await vi.waitFor(() => expect(rig.happened).toContain('discarded r1'));
    rig.faults.finish = async () => false;
    await rig.start();
    await rig.clock.advance(2_000);
    rig.recorder.cancel();
    await vi.waitFor(() => expect(rig.happened).toContain('discarded r2'));
    expect(rig.cancelled).toEqual([]);
    expect(rig.problem()).toBeNull();
  });

  it('called off while permission is asked, it never starts', async () => {
    const rig = setUp();
    let allow: () => void = () => undefined;
    rig.faults.open = () =>
      new Promise((resolve) => {
        allow = resolve;
      });
    rig.recorder.start();
    rig.recorder.stop();
    expect(rig.problem()).toBe('Recording too short — hold for at least 1 second.');
    allow();
    await vi.waitFor(() => expect(rig.happened).toEqual(['open', 'closed']));
    expect(rig.recorder.getSnapshot().phase).toBe('idle');
    expect(rig.state.count).toBe(0);
  });

  it.each([
    [new MicrophoneError('denied'), 'Microphone permission denied or unavailable.'],
    [new MicrophoneError('unavailable'), 'Could not access microphone.'],
  ])('says so when there is no microphone: %s', async (error, sentence) => {
    const rig = setUp();
    rig.faults.open = async () => {
      throw error;
    };
    rig.recorder.start();
    await rig.settled('idle');
    expect(rig.problem()).toBe(sentence);
  });

  it('refuses to begin on a full device, and lets go of the microphone', async () => {
    const rig = setUp();
    rig.faults.begin = () => Promise.reject(new CommandError('storage', 'No room.'));
    rig.recorder.start();
    await rig.settled('idle');
    expect(rig.problem()).toBe('No room.');
    expect(rig.happened).toEqual(['open', 'closed']);
  });

  it('leaves nothing behind if the opened microphone cannot record', async () => {
    const rig = setUp();
    rig.faults.run = () => {
      throw new MicrophoneError('unavailable');
    };
    rig.recorder.start();
    await rig.settled('idle');
    expect(rig.problem()).not.toBeNull();
    await vi.waitFor(() => expect(rig.happened).toEqual(['open', 'closed', 'discarded r1']));
    rig.faults.run = () => undefined;
    await rig.start();
  });

  it('stores no chunk after one that could not be stored, since players stop at a gap', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(3_000);
    rig.chunk(1);
    await vi.waitFor(() => expect(rig.stored).toHaveLength(1));
    rig.faults.append = () => {
      rig.faults.append = async () => undefined;
      return Promise.reject(new CommandError('storage', 'No room.'));
    };
    rig.chunk(2);
    rig.faults.stop = async () => rig.chunk(3);
    await rig.settled('idle');
    expect(rig.stored).toEqual(['r1 1 3000']);
    expect(rig.recorded).toHaveLength(1);
  });

  it('ends when the device becomes full, says so, and keeps the stored chunks', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(3_000);
    rig.faults.append = () => Promise.reject(new CommandError('storage', 'No room.'));
    rig.chunk();
    await rig.settled('idle');
    expect(rig.problem()).toBe('No room.');
    expect(rig.recorded).toEqual([{ id: 'r1', durationMs: 3_000 }]);
  });

  it('reports a full device even if the stored chunks could not be joined', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(3_000);
    const full = () => Promise.reject(new CommandError('storage', 'No room.'));
    rig.faults.append = full;
    rig.faults.finish = full;
    rig.chunk();
    await rig.settled('idle');
    expect(rig.problem()).toBe('No room.');
    expect(rig.recorded).toEqual([]);
  });

  it('keeps the chunks when the recorder cannot be stopped, and says so', async () => {
    const rig = setUp();
    await rig.start();
    await rig.clock.advance(3_000);
    rig.faults.stop = () => Promise.reject(new Error('stuck'));
    rig.recorder.stop();
    await rig.settled('idle');
    expect(rig.problem()).toBe('Could not stop recording.');
    expect(rig.recorded).toHaveLength(1);
    expect(rig.happened).toContain('closed');
  });

  it.each([
    ['is empty', () => Promise.resolve(false)],
    ['cannot be joined', () => Promise.reject(new CommandError('storage', 'full'))],
  ])('says so when a recording %s', async (_what, finish) => {
    const rig = setUp();
    rig.faults.finish = finish;
    await rig.start();
    await rig.clock.advance(3_000);
    rig.recorder.stop();
    await rig.settled('idle');
    expect(rig.problem()).toBe('Failed to assemble recording.');
    expect(rig.recorded).toEqual([]);
  });
});
