import { describe, expect, it, vi } from 'vitest';
import { cell } from '../../../tests/support/fakes/cell.ts';
import { lazyService, liveInside } from './lazy-service.ts';

function idleLater() {
  const works: (() => void)[] = [];
  return {
    whenIdle: (work: () => void): void => {
      works.push(work);
    },
    becomeIdle: () => works.splice(0).forEach((work) => work()),
  };
}

describe('something whose code comes later', () => {
  it('loads when the page is idle, for subscribers', async () => {
    const { whenIdle, becomeIdle } = idleLater();
    const start = vi.fn<() => Promise<string>>().mockResolvedValue('here');
    const lazy = lazyService(start, whenIdle);
    const onChange = vi.fn<() => void>();
    lazy.subscribe(onChange);
    expect(start).not.toHaveBeenCalled();
    expect(lazy.getSnapshot()).toBeUndefined();
    becomeIdle();
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce());
    expect(lazy.getSnapshot()).toBe('here');
  });

  it('loads at once for a caller of load, and only once', async () => {
    const start = vi.fn<() => Promise<object>>(async () => ({}));
    const lazy = lazyService(start, () => undefined);
    expect(await lazy.load()).toBe(await lazy.load());
    expect(start).toHaveBeenCalledOnce();
  });

  it('is tried again after a failure', async () => {
    const start = vi.fn<() => Promise<string>>();
    start.mockRejectedValueOnce(new Error('404')).mockResolvedValue('here');
    const lazy = lazyService(start, () => undefined);
    await expect(lazy.load()).rejects.toThrow('404');
    expect(await lazy.load()).toBe('here');
  });

  it('no longer notifies an unsubscribed listener', async () => {
    const lazy = lazyService(
      async () => 'here',
      () => undefined,
    );
    const onChange = vi.fn<() => void>();
    lazy.subscribe(onChange)();
    await lazy.load();
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe('what is inside it', () => {
  it('is nothing until it has come, and then follows it', async () => {
    const inner = cell(1);
    const lazy = lazyService(
      async () => inner,
      () => undefined,
    );
    const inside = liveInside(lazy, (opened) => opened);
    const onChange = vi.fn<() => void>();
    const stop = inside.subscribe(onChange);
    expect(inside.getSnapshot()).toBeNull();
    await lazy.load();
    expect(inside.getSnapshot()).toBe(1);
    onChange.mockClear();
    inner.set(2);
    expect(inside.getSnapshot()).toBe(2);
    expect(onChange).toHaveBeenCalledOnce();
    stop();
    inner.set(3);
    expect(onChange).toHaveBeenCalledOnce();
  });

  it('is opened once, also when it has come before', async () => {
    const lazy = lazyService(
      async () => cell(1),
      () => undefined,
    );
    await lazy.load();
    const open = vi.fn<(value: ReturnType<typeof cell<number>>) => ReturnType<typeof cell<number>>>(
      (opened) => opened,
    );
    const inside = liveInside(lazy, open);
    inside.subscribe(() => undefined);
    expect(inside.getSnapshot()).toBe(1);
    expect(open).toHaveBeenCalledOnce();
  });
});
