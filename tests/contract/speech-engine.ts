import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Listener } from '../../functions/src/speech/listener.ts';
import type { Audio } from '../../functions/src/speech/speech-engine.ts';

type Recording = Omit<Audio, 'samples'>;

/** One configured engine, with the recordings and servers that its tests need. */
export interface SpeechWorld {
  readonly listener: Listener;
  readonly speech: Recording;
  readonly silence: Recording;
  /** The words that the transcript of `speech` must contain. */
  readonly words: RegExp;
  /** The same engine without its server, command or model. */
  readonly absent: Listener;
  /** The same engine, which begins to answer and never ends. */
  readonly stalled: { readonly listener: Listener; hasBegun(): Promise<boolean> | boolean };
  dispose(): Promise<void>;
}

export const hints = { language: 'en-GB', phrases: ['Bramble', 'Vizsla'] };

export function describeSpeechEngine(name: string, open: () => Promise<SpeechWorld>): void {
  describe(`speech by ${name}`, () => {
    // The long timeouts are for a busy machine: no test waits for time to pass.
    vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });
    let world: SpeechWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.dispose());
    const signal = new AbortController().signal;

    it('is transcribed', async () => {
      const heard = await world.listener.hear(world.speech, hints, signal);
      expect(heard).toMatchObject({ kind: 'text', text: expect.stringMatching(world.words) });
    });

    it('is transcribed the same, repeatedly and in parallel', async () => {
      const hear = () => world.listener.hear(world.speech, hints, signal);
      const [first, ...others] = await Promise.all([hear(), hear(), hear()]);
      expect(others).toEqual([first, first]);
      expect(await hear()).toEqual(first);
    });

    it('that is silence gives no words', async () => {
      const heard = await world.listener.hear(world.silence, hints, signal);
      expect(heard).toEqual({ kind: 'text', text: '' });
    });

    it('is unavailable without the engine, with no fault of the audio', async () => {
      const heard = await world.absent.hear(world.speech, hints, signal);
      expect(heard).toMatchObject({
        kind: 'unavailable',
        reason: expect.stringMatching(/^[\w-]+$/),
      });
    });

    it('is not begun if it was aborted before', async () => {
      const stopped = AbortSignal.abort(new Error('stopped'));
      await expect(world.listener.hear(world.speech, hints, stopped)).rejects.toThrow('stopped');
    });

    it('ends at once when it is aborted', async () => {
      const stopping = new AbortController();
      const { stalled } = world;
      const heard = stalled.listener.hear(world.speech, hints, stopping.signal).catch(String);
      await vi.waitFor(async () => expect(await stalled.hasBegun()).toBe(true));
      stopping.abort(new Error('stopped'));
      expect(await heard).toBe('Error: stopped');
    });
  });
}
