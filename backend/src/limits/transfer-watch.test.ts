import { describe, expect, it, vi } from 'vitest';
import { createManualClock } from '../../tests/support/fakes/manual-clock.ts';
import { createTransferWatch } from './transfer-watch.ts';

const checkMs = 5_000;
const hourMs = 3_600_000;

function begin() {
  const clock = createManualClock();
  const cut = vi.fn<() => void>();
  const transfer = createTransferWatch(clock).begin(cut, { bytes: 100, inMs: 2 * checkMs });
  const pass = () => clock.advance(checkMs);
  return { clock, cut, transfer, pass };
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

  it.each([-hourMs, hourMs])('is cut in time although the clock was set by %d ms', (stepMs) => {
    const { clock, cut, pass } = begin();
    clock.set(clock.now() + stepMs);
    pass();
    expect(cut).not.toHaveBeenCalled();
    pass();
    expect(cut).toHaveBeenCalledOnce();
  });
});
