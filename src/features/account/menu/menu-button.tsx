import Menu from 'lucide-react/icons/menu';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../lib/react/lazy-part.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';

const sideMenu = lazyPart(async () => (await import('./side-menu.lazy.tsx')).SideMenu);

export function MenuButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <IconButton
        label="Menu"
        icon={Menu}
        aria-haspopup="dialog"
        onPointerEnter={sideMenu.preload}
        onFocus={sideMenu.preload}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense>
          <sideMenu.Component onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
