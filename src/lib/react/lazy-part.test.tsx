import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Component, Suspense, type ComponentType, type ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { lazyPart } from './lazy-part.tsx';
import { ChunkLoadError } from '../async/load-chunk.ts';

function Greeting({ name }: { readonly name: string }) {
  return <p>Hello {name}</p>;
}

type Load = () => Promise<ComponentType<{ readonly name: string }>>;

function show(load: Load) {
  const part = lazyPart(load);
  render(
    <>
      <input aria-label="Note" defaultValue="half a thought" />
      <Suspense>
        <part.Component name="Bramble" />
      </Suspense>
    </>,
  );
}

beforeEach(() => {
  // React logs every error that a boundary has caught.
  vi.spyOn(console, 'error').mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('shows the part once it has come', async () => {
  show(async () => Greeting);
  expect(await screen.findByText('Hello Bramble')).toBeDefined();
});

it('leaves the page as it is without its code, and asks for it again', async () => {
  const load = vi
    .fn<Load>()
    .mockRejectedValueOnce(new ChunkLoadError('greeting', 'error'))
    .mockResolvedValue(Greeting);
  show(load);
  expect(await screen.findByRole('alert')).toHaveProperty(
    'textContent',
    expect.stringContaining('This part could not be loaded.'),
  );
  expect(screen.getByRole('textbox', { name: 'Note' })).toHaveProperty('value', 'half a thought');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Hello Bramble')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is loaded again in all places by one tap', async () => {
  const load = vi
    .fn<Load>()
    .mockRejectedValueOnce(new ChunkLoadError('greeting', 'error'))
    .mockResolvedValue(Greeting);
  const part = lazyPart(load);
  render(
    <Suspense>
      <part.Component name="Bramble" />
      <part.Component name="Juno" />
    </Suspense>,
  );
  const [again] = await screen.findAllByRole('button', { name: 'Try again' });
  await userEvent.click(again ?? document.body);
  expect(await screen.findByText('Hello Bramble')).toBeDefined();
  expect(await screen.findByText('Hello Juno')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(load).toHaveBeenCalledTimes(2);
});

it('can be closed without its code, if the part can be closed, and loads it when it is opened again', async () => {
  const onClose = vi.fn<() => void>();
  const part = lazyPart<{ readonly onClose: () => void }>(
    vi
      .fn<() => Promise<ComponentType<{ readonly onClose: () => void }>>>()
      .mockRejectedValueOnce(new ChunkLoadError('menu', 'error'))
      .mockResolvedValue(() => <p>The menu</p>),
  );
  const opened = (
    <Suspense>
      <part.Component onClose={onClose} />
    </Suspense>
  );
  const { unmount } = render(opened);
  await userEvent.click(await screen.findByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  render(opened);
  expect(await screen.findByText('The menu')).toBeDefined();
});

it.each([
  ['the browser repeats an earlier failure', 'remembered'],
  ['the server has a newer version', 'missing'],
] as const)('offers a reload where %s', async (_, reason) => {
  show(() => Promise.reject(new ChunkLoadError('greeting', reason)));
  expect(await screen.findByRole('button', { name: 'Reload' })).toBeDefined();
  expect(screen.getByRole('alert').textContent).toContain('Save what you have begun first.');
});

class Outer extends Component<{ readonly children: ReactNode }> {
  override state = { message: '' };

  static getDerivedStateFromError(error: Error) {
    return { message: error.message };
  }

  override render() {
    return this.state.message === '' ? this.props.children : `caught: ${this.state.message}`;
  }
}

it('lets other errors go on their way', async () => {
  const part = lazyPart<object>(() => Promise.reject(new Error('a defect')));
  render(
    <Outer>
      <Suspense>
        <part.Component />
      </Suspense>
    </Outer>,
  );
  expect(await screen.findByText('caught: a defect')).toBeDefined();
});
