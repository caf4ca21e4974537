import { describe, expect, it, vi } from 'vitest';
import { createTransferWatch } from './transfer-watch.ts';

const checkMs = 5_000;
const hourMs = 3_600_000;

function begin() {
  let nowMs = hourMs;
  let check = () => {};
  const every = (intervalMs: number, run: () => void) => {
    expect(intervalMs).toBe(checkMs);
    check = run;
    return () => undefined;
  };
  const cut = vi.fn<() => void>();
  const watch = createTransferWatch({ now: () => nowMs, every });
  const transfer = watch.begin(cut, { bytes: 100, inMs: 2 * checkMs });
  /** Lets the time between two checks pass; the clock may be set meanwhile. */
  const pass = (setByMs = 0) => {
    nowMs += checkMs + setByMs;
    check();
  };
  return { cut, transfer, pass };
}

describe('a watched transfer', () => {
  it('goes on while it keeps its pace, and is cut once it does not', () => {
    const { cut, transfer, pass } = begin();
    pass();
    transfer.moved(100);
    pass();
    transfer.moved(99);
    pass();
    expect(cut).not.toHaveBeenCalled();
    pass();
    expect(cut).toHaveBeenCalledOnce();
  });

  it('is not cut after its end', () => {
    const { cut, transfer, pass } = begin();
    transfer.ended();
    for (let at = 0; at < 5; at++) pass();
    expect(cut).not.toHaveBeenCalled();
  });

  it('is cut soon although the clock was set back', () => {
    const { cut, pass } = begin();
    pass(-hourMs);
    expect(cut).not.toHaveBeenCalled();
    pass();
    pass();
    expect(cut).toHaveBeenCalledOnce();
  });
});
