import { afterEach, describe, expect, it, vi } from 'vitest';
import { installNativeBridge } from '../../../tests/support/native-bridge.ts';

const native = installNativeBridge();

afterEach(() => {
  native.reset();
  vi.unstubAllGlobals();
});

async function takePhoto(answer: object): Promise<Blob | null> {
  native.answers.set('Camera.takePhoto', answer);
  const { loadCamera } = await import('../camera.ts');
  const camera = await loadCamera();
  if (camera === null) throw new Error('The wrapper has a camera');
  return camera.takePhoto();
}

describe('the camera of the system', () => {
  it('takes a photo at the product’s quality', async () => {
    const photo = new Blob(['photo'], { type: 'image/jpeg' });
    const fetched = vi.fn<(url: string) => Promise<{ blob: () => Promise<Blob> }>>(async () => ({
      blob: async () => photo,
    }));
    vi.stubGlobal('fetch', fetched);
    expect(await takePhoto({ webPath: 'https://localhost/_capacitor_file_/a.jpg' })).toBe(photo);
    expect(fetched).toHaveBeenCalledWith('https://localhost/_capacitor_file_/a.jpg');
    expect(native.calls[0]).toMatchObject({
      pluginId: 'Camera',
      methodName: 'takePhoto',
      options: { quality: 90 },
    });
  });

  it('takes a closed camera for nothing chosen', async () => {
    const closed = Object.assign(new Error('closed'), { code: 'OS-PLUG-CAMR-0006' });
    expect(await takePhoto(closed)).toBeNull();
  });

  it('says so if it may not be used', async () => {
    const denied = Object.assign(new Error('denied'), { code: 'OS-PLUG-CAMR-0003' });
    await expect(takePhoto(denied)).rejects.toMatchObject({ name: 'CameraError' });
  });
});
