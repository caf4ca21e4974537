import { useEffect } from 'react';
import { useSession } from '../../../platform/auth/session.ts';
import { whenIdle } from '../../../platform/when-idle.ts';
import { Button } from '../../../ui/button.tsx';

export interface GoogleButtonProps {
  readonly isBusy: boolean;
  readonly onPress: () => void;
}

/**
 * The button of Google's sign-in. Its code loads right after the page, because a browser allows a popup only shortly
 * after a click.
 */
export function GoogleButton({ isBusy, onPress }: GoogleButtonProps) {
  const { auth } = useSession();
  useEffect(
    () =>
      whenIdle(() => {
        // A failure is reported when the button is pressed.
        auth.prepareGoogle().catch(() => undefined);
      }),
    [auth],
  );
  return (
    <Button className="w-full" aria-disabled={isBusy} onClick={onPress}>
      <GoogleMark />
      Sign in with Google
    </Button>
  );
}

function GoogleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 48 48" className="size-5">
      <path
        fill="#EA4335"
        d="M24 9.5c3.5 0 6.7 1.2 9.2 3.6l6.9-6.9C35.9 2.4 30.5 0 24 0 14.6 0 6.5 5.4 2.6 13.2l8 6.2C12.4 13.7 17.7 9.5 24 9.5z"
      />
      <path
        fill="#4285F4"
        d="M47 24.6c0-1.6-.2-3.1-.4-4.6H24v9h12.9c-.6 3-2.2 5.5-4.8 7.2l7.7 6c4.5-4.2 7.2-10.4 7.2-17.6z"
      />
      <path fill="#FBBC05" d="M10.5 28.6a14.5 14.5 0 0 1 0-9.2l-8-6.2a24 24 0 0 0 0 21.6l8-6.2z" />
      <path
        fill="#34A853"
        d="M24 48c6.5 0 11.9-2.1 15.9-5.8l-7.7-6c-2.2 1.5-4.9 2.3-8.2 2.3-6.3 0-11.6-4.2-13.5-9.9l-8 6.2C6.5 42.6 14.6 48 24 48z"
      />
    </svg>
  );
}
