import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { NewestButton } from './newest-button.tsx';

/** A journal whose list goes with the button, as one does that was opened further up. */
function Page() {
  const [isFurtherUp, setIsFurtherUp] = useState(true);
  return (
    <main>
      <h1>Bramble</h1>
      {isFurtherUp && <NewestButton onClick={() => setIsFurtherUp(false)} />}
    </main>
  );
}

it('the button to the newest entry leaves the focus on the heading of the page', async () => {
  render(<Page />);
  await userEvent.click(screen.getByRole('button', { name: 'To the newest entry' }));
  expect(screen.queryByRole('button')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Bramble' }));
});
