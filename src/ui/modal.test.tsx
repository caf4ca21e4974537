import { fireEvent, render, screen } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { describe, expect, it } from 'vitest';
import { Modal } from './modal.tsx';

function Nested() {
  const [depth, setDepth] = useState(2);
  return (
    <StrictMode>
      {depth > 0 && (
        <Modal title="Outer" placement="side" onClose={() => setDepth(0)}>
          {depth > 1 && (
            <Modal
              title="Inner"
              placement="centre"
              role="alertdialog"
              onClose={() => setDepth((open) => open - 1)}
            >
              <p>Sure?</p>
            </Modal>
          )}
        </Modal>
      )}
    </StrictMode>
  );
}

describe('a modal inside another', () => {
  it.each(['cancel', 'close'])('is left alone with %s', (type) => {
    render(<Nested />);
    const inner = screen.getByRole<HTMLDialogElement>('alertdialog', { name: 'Inner' });
    if (type === 'close') inner.close();
    fireEvent(inner, new Event(type, { cancelable: true }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole('dialog', { name: 'Outer' })).toBeDefined();
  });

  it('stays open on a press outside, because it asks something', () => {
    render(<Nested />);
    fireEvent.click(screen.getByRole('alertdialog'), { clientX: 900, clientY: 900 });
    expect(screen.getByRole('alertdialog', { name: 'Inner' })).toBeDefined();
  });
});

it('a modal that asks something is described by what it asks, which is read with its title', () => {
  render(<Nested />);
  expect(screen.getByRole('alertdialog', { name: 'Inner', description: 'Sure?' })).toBeDefined();
  expect(screen.getByRole('dialog', { name: 'Outer', description: '' })).toBeDefined();
});

it('a modal closes on a press outside it', () => {
  let closed = 0;
  render(
    <Modal title="Sheet" placement="bottom" onClose={() => (closed += 1)}>
      <p>Text</p>
    </Modal>,
  );
  fireEvent.click(screen.getByText('Text'), { clientX: 900, clientY: 900 });
  expect(closed).toBe(0);
  fireEvent.click(screen.getByRole('dialog'), { clientX: 900, clientY: 900 });
  expect(closed).toBe(1);
});
