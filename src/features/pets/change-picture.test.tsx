import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { stubBrowserPictures } from '../../../tests/support/fakes/browser-pictures.ts';
import { deferred, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { pictureJob } from '../../../tests/support/fixtures/file-records.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError } from '../../data/commands/commands.ts';
import type { Files } from '../../data/files/files.ts';
import type { FileContent } from '../../data/files/voice-files.ts';
import { cameraAtom, type Camera } from '../../platform/media/camera.ts';

const path = '/pets/one/actions/change-profile-picture';

async function chooseFile(content: string, name = 'dog.jpg'): Promise<void> {
  const [input] = document.querySelectorAll<HTMLInputElement>('input[type="file"]');
  if (input === undefined) throw new Error('no input');
  fireEvent.change(input, { target: { files: [new File([content], name)] } });
  await waitFor(() => expect(screen.queryByText('Reading the picture…')).toBeNull());
}

async function openPage(commands: Partial<Files> = {}) {
  const pictures = stubBrowserPictures();
  const data = fakeData({}, commands);
  data.pets.set([petRow('one', 'Bramble')]);
  const app = openApp({ path, data });
  await screen.findByRole('button', { name: 'Choose a picture' });
  return { ...app, ...pictures };
}

function keptPictures() {
  const kept: (readonly [string, FileContent])[] = [];
  const setProfilePicture = vi.fn<Files['setProfilePicture']>(async (petId, picture) => {
    kept.push([petId, picture]);
  });
  return { kept, setProfilePicture };
}

const textOf = (bytes: ArrayBuffer | undefined): string => new TextDecoder().decode(bytes);

describe('changing a dog’s picture', () => {
  it('keeps the middle square as a JPEG of quality 90, and leads back to the profile', async () => {
    const { kept, setProfilePicture } = keptPictures();
    const { user, path: pathNow, squares } = await openPage({ setProfilePicture });
    await chooseFile('4000x3000');
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    await waitFor(() => expect(pathNow()).toBe('/pets/one/profile'));
    expect(kept).toHaveLength(1);
    expect(kept[0]?.[0]).toBe('one');
    expect(kept[0]?.[1].contentType).toBe('image/jpeg');
    expect(textOf(kept[0]?.[1].bytes)).toBe('1024x1024 at 0.9');
    // The numbers are pixels of the copy, whose short edge has 2,048.
    expect(squares.at(-1)).toEqual({ x: 341.5, y: 0, edge: 2_048 });
  });

  it.each([
    ['is used up once it is the picture', '', 0],
    ['stays if a file is chosen that is no picture, and is the picture then', 'a note', 0],
    ['stays if another picture is saved', '400x300', 1],
  ])('a shared photo %s', async (_, other, left) => {
    stubBrowserPictures();
    const { setProfilePicture } = keptPictures();
    const data = fakeData({}, { setProfilePicture });
    data.pets.set([petRow('one', 'Bramble')]);
    const bytes = new TextEncoder().encode('4000x3000').buffer;
    const photo = { id: 'file', name: 'dog.jpg', contentType: 'image/jpeg', bytes };
    data.files.shared.set('share', { id: 'share', createdAtMs: 1, texts: [], files: [photo] });
    const app = openApp({ path: `${path}?share=share&file=file`, data });
    await screen.findByRole('button', { name: 'Save picture' });
    if (other !== '') await chooseFile(other);
    await app.user.click(screen.getByRole('button', { name: 'Save picture' }));
    await waitFor(() => expect(app.path()).toBe('/pets/one/profile'));
    expect(setProfilePicture).toHaveBeenCalledOnce();
    expect(data.files.shared.size).toBe(left);
  });

  it('never enlarges a small picture', async () => {
    const { kept, setProfilePicture } = keptPictures();
    const { user } = await openPage({ setProfilePicture });
    await chooseFile('200x300');
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    await waitFor(() => expect(kept).toHaveLength(1));
    expect(textOf(kept[0]?.[1].bytes)).toBe('200x200 at 0.9');
  });

  it('shows the problem of a chosen file in place of the failure of an earlier save', async () => {
    const setProfilePicture = () => Promise.reject(new CommandError('storage', 'Full.'));
    const { user } = await openPage({ setProfilePicture });
    await chooseFile('400x300');
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    const { textContent: failure } = await screen.findByRole('alert');
    await chooseFile('a note');
    const alert = await screen.findByRole('alert');
    await waitFor(() => expect(alert.textContent).toContain('This file is not a picture.'));
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    await waitFor(() => expect(alert.textContent).toBe(failure));
  });

  it('saves once, however often it is pressed', async () => {
    const { setProfilePicture } = keptPictures();
    const { user, path: pathNow } = await openPage({ setProfilePicture });
    await chooseFile('400x300');
    await user.dblClick(screen.getByRole('button', { name: 'Save picture' }));
    await waitFor(() => expect(pathNow()).toBe('/pets/one/profile'));
    expect(setProfilePicture).toHaveBeenCalledOnce();
  });

  it('moves the square by key and by zoom', async () => {
    const { user, squares } = await openPage();
    await chooseFile('4000x1000');
    await waitFor(() => expect(squares.at(-1)).toEqual({ x: 1_500, y: 0, edge: 1_000 }));
    screen.getByRole('button', { name: 'Move the picture' }).focus();
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowUp}');
    expect(squares.at(-1)?.x).toBeCloseTo(1_600);
    fireEvent.change(screen.getByRole('slider', { name: 'Zoom' }), { target: { value: '2' } });
    expect(squares.at(-1)).toMatchObject({ y: 250, edge: 500 });
    expect(squares.at(-1)?.x).toBeCloseTo(1_850);
  });

  it('moves the square by dragging, and by a tap on its new centre', async () => {
    const { squares } = await openPage();
    await chooseFile('4000x1000');
    const frame = await screen.findByRole('button', { name: 'Move the picture' });
    Object.assign(frame, {
      setPointerCapture: () => undefined,
      getBoundingClientRect: () => new DOMRect(100, 100, 200, 200),
    });
    Object.defineProperty(frame, 'clientWidth', { value: 200 });
    const drag = (fromX: number, toX: number): void => {
      fireEvent.pointerDown(frame, { clientX: fromX, clientY: 200, buttons: 1, isPrimary: true });
      fireEvent.pointerMove(frame, { clientX: toX, clientY: 200, buttons: 1, isPrimary: true });
      fireEvent.pointerUp(frame);
      fireEvent.click(frame, { clientX: toX, clientY: 200 });
    };
    drag(200, 150);
    expect(squares.at(-1)?.x).toBeCloseTo(1_750);
    drag(300, 302);
    expect(squares.at(-1)?.x).toBeCloseTo(2_260);
    fireEvent.pointerMove(frame, { clientX: 0, clientY: 200, buttons: 0, isPrimary: true });
    expect(squares.at(-1)?.x).toBeCloseTo(2_260);
  });

  it('follows the first finger alone', async () => {
    const { squares } = await openPage();
    await chooseFile('4000x1000');
    const frame = await screen.findByRole('button', { name: 'Move the picture' });
    Object.assign(frame, { setPointerCapture: () => undefined });
    Object.defineProperty(frame, 'clientWidth', { value: 200 });
    const point = (clientX: number, isPrimary: boolean) => ({
      clientX,
      clientY: 100,
      buttons: 1,
      pointerId: isPrimary ? 1 : 2,
      isPrimary,
    });
    fireEvent.pointerDown(frame, point(50, true));
    fireEvent.pointerDown(frame, point(150, false));
    fireEvent.pointerMove(frame, point(51, true));
    fireEvent.pointerMove(frame, point(180, false));
    expect(squares.at(-1)?.x).toBe(1_500);
    fireEvent.pointerMove(frame, point(0, true));
    expect(squares.at(-1)?.x).toBeCloseTo(1_750);
  });

  it.each([
    ['a note', 'Upload failed. This file is not a picture. Choose another one.'],
    ['', 'Upload failed. This file is not a picture. Choose another one.'],
    ['\0\0\0\u0018ftypheic', /^Upload failed\. This browser cannot read HEIC photos\./],
    ['1x1', /^Upload failed\. This picture is too small\./],
    ['12000x12000', /^Upload failed\. This picture has more pixels/],
  ])('reports an unusable file, and keeps the picture before', async (content, sentence) => {
    const { urls } = await openPage();
    await chooseFile('400x300');
    await chooseFile(content);
    expect((await screen.findByRole('alert')).textContent).toMatch(sentence);
    expect(screen.getByRole('button', { name: 'Save picture' })).toBeDefined();
    expect(urls.returned).toBe(urls.given);
  });

  it('reads no file of more than 64 MB', async () => {
    await openPage();
    const huge = vi.spyOn(File.prototype, 'size', 'get').mockReturnValue(64 * 1_024 * 1_024 + 1);
    await chooseFile('400x300');
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Upload failed. This file is larger than 64 MB. Choose a smaller one.',
    );
    huge.mockRestore();
  });

  it('has one way to save, once there is a picture', async () => {
    await openPage();
    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
    await chooseFile('200x300');
    expect(screen.getAllByRole('button', { name: /^Save/ })).toHaveLength(1);
  });

  it('keeps the chosen picture if it could not be stored', async () => {
    const full = new CommandError('storage', 'Upload failed. This device is full.');
    const setProfilePicture = vi.fn<Files['setProfilePicture']>(() => Promise.reject(full));
    const { user, path: pathNow } = await openPage({ setProfilePicture });
    await chooseFile('400x300');
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    expect((await screen.findByRole('alert')).textContent).toBe(full.message);
    expect(pathNow()).toBe(path);
    await user.click(screen.getByRole('button', { name: 'Save picture' }));
    expect(setProfilePicture).toHaveBeenCalledTimes(2);
  });

  it('keeps the first picture if the second window of the wrapper is cancelled meanwhile', async () => {
    const { user, store } = await openPage();
    const [first, second] = [deferred<Blob | null>(), deferred<Blob | null>()];
    const choose = vi.fn<Camera['choose']>();
    choose.mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise);
    act(() => store.set(cameraAtom, { take: choose, choose }));
    await user.click(screen.getByRole('button', { name: 'Choose a picture' }));
    await user.click(screen.getByRole('button', { name: 'Choose a picture' }));
    await act(async () => first.resolve(new Blob(['400x300'])));
    await screen.findByRole('button', { name: 'Save picture' });
    await act(async () => second.resolve(null));
    expect(screen.getByRole('button', { name: 'Save picture' })).toBeDefined();
    await waitFor(() => expect(screen.queryByText('Reading the picture…')).toBeNull());
  });

  it('uses the system’s own windows in the wrapper', async () => {
    const { user, store } = await openPage();
    const take = vi.fn<Camera['take']>();
    take.mockResolvedValueOnce(null).mockRejectedValueOnce(new Error('denied'));
    const choose = vi.fn<Camera['choose']>(async () => new Blob(['400x300']));
    act(() => store.set(cameraAtom, { take, choose }));
    await user.click(screen.getByRole('button', { name: 'Take a photo' }));
    expect(take).toHaveBeenCalledOnce();
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Take a photo' }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^The camera could not be used/);
    await user.click(screen.getByRole('button', { name: 'Choose a picture' }));
    expect(await screen.findByRole('button', { name: 'Save picture' })).toBeDefined();
  });

  it.each([
    ['dropped anywhere on the page', 'drop', 'dataTransfer'],
    ['pasted', 'paste', 'clipboardData'],
  ])('accepts a file that is %s', async (_, type, property) => {
    await openPage();
    const file = new File(['400x300'], 'dog.jpg');
    const event = new Event(type, { bubbles: true, cancelable: true });
    Object.assign(event, { [property]: { types: ['Files'], files: [file] } });
    act(() => void document.body.dispatchEvent(event));
    expect(event.defaultPrevented).toBe(true);
    expect(await screen.findByRole('button', { name: 'Save picture' })).toBeDefined();
  });
});

describe('a picture in flight', () => {
  it('shows its progress', async () => {
    const { data } = await openPage();
    act(() => data.files.jobs.set([pictureJob('one')]));
    expect(
      screen.getByText('On this device. It is uploaded with the next connection.'),
    ).toBeDefined();
    act(() => data.files.jobs.set([pictureJob('one', { stage: 'uploading' })]));
    expect(screen.getByText('Uploading…')).toBeDefined();
    act(() => data.files.jobs.set([pictureJob('other', { stage: 'uploading' })]));
    expect(screen.queryByText('Uploading…')).toBeNull();
  });

  it('shows the reason of a refusal, and can be retried or discarded', async () => {
    const retryFile = vi.fn<Files['retryFile']>(() => Promise.resolve());
    const discardFile = vi.fn<Files['discardFile']>(() => Promise.resolve());
    const { user, data } = await openPage({ retryFile, discardFile });
    const job = pictureJob('one', { stage: 'failed', code: 'http-403' });
    act(() => data.files.jobs.set([job]));
    expect(screen.getByRole('alert').textContent).toMatch(/^Upload failed\. .* It is kept here\.$/);
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(retryFile).toHaveBeenCalledWith(job.id);
    act(() => data.files.jobs.set([pictureJob('one')]));
    expect(document.activeElement).not.toBe(document.body);
    act(() => data.files.jobs.set([job]));
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(discardFile).not.toHaveBeenCalled();
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    expect(discardFile).toHaveBeenCalledWith(job.id);
  });
});

describe('a dog with a picture', () => {
  it('shows it in the place of its initial, once it can be seen', async () => {
    const data = fakeData();
    data.pets.set([petRow('one', 'Bramble'), petRow('two', 'Otter')]);
    openApp({ path: '/pets', data });
    const card = await screen.findByRole('link', { name: /Bramble/ });
    expect(card.textContent).toMatch(/^B/);
    act(() => data.files.pictures.set({ one: 'blob:bramble' }));
    const image = card.querySelector('img');
    expect(image?.getAttribute('src')).toBe('blob:bramble');
    expect(card.textContent).toMatch(/^BB/);
    if (image !== null) fireEvent.load(image);
    expect(card.textContent).toMatch(/^Bramble/);
    if (image !== null) fireEvent.error(image);
    expect(card.textContent).toMatch(/^BB/);
    expect(screen.getByRole('link', { name: /Otter/ }).querySelector('img')).toBeNull();
  });
});
