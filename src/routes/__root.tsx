import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { ToastRegion } from '../features/toasts/toast-region.tsx';
import type { RouterContext } from '../lib/react/router-context.ts';
import { ErrorPage } from '../ui/error-page.tsx';

export const Route = createRootRouteWithContext<RouterContext>()({
  component: RootLayout,
  errorComponent: ErrorPage,
});

function RootLayout() {
  return (
    <>
      <Outlet />
      <ToastRegion />
    </>
  );
}
