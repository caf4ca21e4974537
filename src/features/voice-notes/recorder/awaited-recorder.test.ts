import { describe, expect, it, vi } from 'vitest';
import { createAwaitedRecorder } from './awaited-recorder.ts';
import { restingRecorder } from './recorder-state.ts';
import type { VoiceRecorder } from './voice-recorder.ts';

function setUp() {
  const onWanted = vi.fn<() => void>();
  const asked: string[] = [];
  const recorder: VoiceRecorder = {
    subscribe: () => () => undefined,
    getSnapshot: () => restingRecorder,
    level: () => 0,
    start: () => void asked.push('start'),
    stop: () => void asked.push('stop'),
    cancel: () => void asked.push('cancel'),
  };
  return { awaited: createAwaitedRecorder(onWanted), onWanted, asked, recorder };
}

describe('a recorder whose code is not here yet', () => {
  it('asks for its code when it is told to start, and starts as soon as it is here', () => {
    const { awaited, onWanted, asked, recorder } = setUp();
    awaited.start();
    expect(onWanted).toHaveBeenCalledOnce();
    expect(awaited.getSnapshot().phase).toBe('starting');
    awaited.follow(recorder);
    awaited.stop();
    expect(asked).toEqual(['start', 'stop']);
  });

  it('says that a hold which ended before was too short, and does not start', () => {
    const { awaited, asked, recorder } = setUp();
    awaited.start();
    awaited.stop();
    awaited.follow(recorder);
    expect(awaited.getSnapshot().problem).toContain('Recording too short');
    expect(asked).toEqual([]);
  });

  it('says no more of that after a cancel', () => {
    const { awaited } = setUp();
    awaited.start();
    awaited.stop();
    awaited.cancel();
    expect(awaited.getSnapshot()).toEqual(restingRecorder);
  });

  it('does not start if it was cancelled before, and says nothing of it', () => {
    const { awaited, asked, recorder } = setUp();
    awaited.start();
    awaited.cancel();
    awaited.follow(recorder);
    expect(awaited.getSnapshot()).toEqual(restingRecorder);
    expect(asked).toEqual([]);
  });
});
