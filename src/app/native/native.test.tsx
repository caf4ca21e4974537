import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installNativeBridge } from '../../../tests/support/fakes/native-bridge.ts';
import { deferred, exported } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { cameraAtom } from '../../platform/media/camera.ts';
import { toastsOf } from '../../platform/toasts.ts';

const native = installNativeBridge();

afterEach(() => {
  native.reset();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function openInWrapper(path = '/help') {
  const app = openApp({ path });
  const { startNative } = await import('./native.ts');
  await startNative(app);
  await screen.findByRole('heading', { level: 1 });
  return app;
}

async function openCamera() {
  const { store } = await openInWrapper();
  const camera = store.get(cameraAtom);
  if (camera === null) throw new Error('the wrapper has a camera');
  return camera;
}

const isShare = ({ pluginId }: { readonly pluginId: string }): boolean => pluginId === 'Share';

function lastCall() {
  const { pluginId, methodName, options } = native.calls.at(-1) ?? {};
  return [pluginId, methodName, options];
}

describe('a link that the system gives to the app', () => {
  it('opens its path and query', async () => {
    const app = await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'https://pawpals.example/settings?from=mail#here' });
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(app.path()).toBe('/settings?from=mail');
  });

  it('is given to the pages of the account too, with its code', async () => {
    await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'https://x.example/auth/set-new-password?oobCode=1' });
    await screen.findByRole('heading', { level: 1, name: 'Set a new password' });
    expect(screen.queryByText('Invalid or missing reset code')).toBeNull();
  });

  it('with an invalid address logs a warning without its text', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const app = await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'no link, secret' });
    expect(warn.mock.calls).toEqual([['pawpals link-not-understood', '']]);
    expect(app.path()).toBe('/help');
  });
});

describe('the button Back of the system', () => {
  it('leaves the app alone where there is no step back', async () => {
    await openInWrapper();
    native.emit('App', 'backButton', { canGoBack: false });
    await waitFor(() => expect(lastCall()).toEqual(['App', 'minimizeApp', {}]));
  });

  it('goes one step back where there is one', async () => {
    const back = vi.spyOn(history, 'back').mockReturnValue();
    await openInWrapper();
    native.emit('App', 'backButton', { canGoBack: true });
    expect(back).toHaveBeenCalledTimes(1);
  });
});

describe('haptics', () => {
  it.each([
    ['success', 'SUCCESS'],
    ['warning', 'WARNING'],
    ['error', 'ERROR'],
  ] as const)('are those of the device, after a toast of %s', async (variant, type) => {
    const { store } = await openInWrapper();
    toastsOf(store).show({ message: 'Something happened', variant });
    await waitFor(() => expect(lastCall()).toEqual(['Haptics', 'notification', { type }]));
  });

  it('ignores a failure of the device', async () => {
    const { store } = await openInWrapper();
    native.answers.set('Haptics.notification', new Error('no motor'));
    toastsOf(store).show({ message: 'Saved', variant: 'success' });
    expect((await screen.findByRole('alert')).textContent).toContain('Saved');
  });
});

describe('the camera', () => {
  function serveFiles() {
    const fetched = vi.fn<(path: string) => Promise<Response>>(async () => new Response('photo'));
    vi.stubGlobal('fetch', fetched);
    return fetched;
  }

  it('takes a photo of quality 90 and gives its bytes', async () => {
    const camera = await openCamera();
    const fetched = serveFiles();
    const webPath = 'https://localhost/_capacitor_file_/photo.jpg';
    native.answers.set('Camera.takePhoto', { type: 0, saved: false, webPath });
    const taken = await camera.take();
    expect(await taken?.text()).toBe('photo');
    expect(lastCall()).toEqual(['Camera', 'takePhoto', { quality: 90 }]);
    expect(fetched.mock.calls).toEqual([[webPath]]);
  });

  it('chooses one from the gallery', async () => {
    const camera = await openCamera();
    serveFiles();
    native.answers.set('Camera.chooseFromGallery', {
      results: [{ type: 0, saved: false, webPath: 'https://localhost/_capacitor_file_/1.jpg' }],
    });
    expect(await (await camera.choose())?.text()).toBe('photo');
    expect(lastCall()).toEqual(['Camera', 'chooseFromGallery', { quality: 90, limit: 1 }]);
  });

  it.each(['OS-PLUG-CAMR-0006', 'OS-PLUG-CAMR-0013', 'OS-PLUG-CAMR-0020'])(
    'gives nothing when the owner changes their mind: %s',
    async (code) => {
      const camera = await openCamera();
      native.answers.set('Camera.takePhoto', Object.assign(new Error('canceled'), { code }));
      expect(await camera.take()).toBeNull();
    },
  );

  it('says why it cannot be used', async () => {
    const camera = await openCamera();
    const refused = Object.assign(new Error('Check your permissions'), {
      code: 'OS-PLUG-CAMR-0003',
    });
    native.answers.set('Camera.takePhoto', refused);
    await expect(camera.take()).rejects.toMatchObject({ code: 'OS-PLUG-CAMR-0003' });
  });
});

describe('an export', () => {
  const uri = 'file:///cache/shared/x/pawpals.zip';

  async function openExport(bytes: number) {
    const { user, data } = await openInWrapper('/settings');
    const zip = new Blob([new Uint8Array(bytes)], { type: 'application/zip' });
    data.transfersCell.set({ exportZip: async () => ({ ...exported, zip }) });
    native.answers.set('Filesystem.writeFile', { uri });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    return { user };
  }

  it('shows the progress of the write, and that the file was shared', async () => {
    const written = deferred<object>();
    native.answers.set('Filesystem.appendFile', written.promise);
    await openExport(1_000_000);
    expect(await screen.findByText('Writing the file, 39 %')).toBeDefined();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('39');
    written.resolve({});
    expect(await screen.findByText(/It is shared as /)).toBeDefined();
    expect(lastCall()).toEqual(['Share', 'share', { title: exported.fileName, files: [uri] }]);
  });

  it('shares nothing and leaves no file if it is stopped during the write', async () => {
    const written = deferred<object>();
    native.answers.set('Filesystem.appendFile', written.promise);
    const { user } = await openExport(1_000_000);
    await screen.findByText('Writing the file, 39 %');
    await user.click(screen.getByRole('button', { name: 'Stop' }));
    written.resolve({});
    await waitFor(() => expect(lastCall().slice(0, 2)).toEqual(['Filesystem', 'rmdir']));
    expect(native.calls.some(isShare)).toBe(false);
    expect(screen.getByText('The export was stopped.')).toBeDefined();
  });

  it('treats a closed sheet as no failure, and can be shared later', async () => {
    native.answers.set('Share.share', new Error('Share canceled'));
    const { user } = await openExport(1);
    await user.click(await screen.findByRole('button', { name: 'Save the file' }));
    await waitFor(() => expect(native.calls.filter(isShare)).toHaveLength(2));
    expect(screen.queryByRole('alert')).toBeNull();
    native.answers.delete('Share.share');
    await user.click(await screen.findByRole('button', { name: 'Save the file' }));
    expect(await screen.findByText(/It is shared as /)).toBeDefined();
  });

  it('reports a full device, and can be retried', async () => {
    native.answers.set('Filesystem.appendFile', new Error('No space left on device'));
    const { user } = await openExport(1_000_000);
    expect(await screen.findByText(/The file could not be saved. Make room/)).toBeDefined();
    native.answers.delete('Filesystem.appendFile');
    await user.click(screen.getByRole('button', { name: 'Save the file' }));
    expect(await screen.findByText(/It is shared as /)).toBeDefined();
  });
});

it('a shared file that an earlier run has left is removed at the start', async () => {
  await openInWrapper();
  expect(native.calls).toContainEqual(
    expect.objectContaining({
      methodName: 'rmdir',
      options: { path: 'shared', directory: 'CACHE', recursive: true },
    }),
  );
});

describe('signing in', () => {
  it('is kept without asking', async () => {
    openApp({ path: '/auth/login', auth: { user: null, status: 'idle' } });
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByText('You stay signed in until you sign out.')).toBeDefined();
  });
});
