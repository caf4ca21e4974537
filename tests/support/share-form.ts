import type { Page } from 'playwright/test';
import { blackPng } from './made-pictures.ts';
import { toneWav } from './sounds.ts';

interface SharedForm {
  readonly texts?: Readonly<Record<string, string>>;
  readonly files?: readonly { name: string; type: string; base64: string }[];
}

/** As a phone's gallery shares it. */
export const sharedPhoto = {
  name: 'IMG_0042.png',
  type: 'image/png',
  base64: blackPng(400, 300).toString('base64'),
};
export const sharedSound = (seconds = 2) => ({
  name: 'From the trainer.wav',
  type: 'audio/x-wav',
  base64: Buffer.from(toneWav(seconds)).toString('base64'),
});

/** As the system does it: a form is posted, which opens the page. */
export async function share(page: Page, { texts = {}, files = [] }: SharedForm): Promise<void> {
  await Promise.all([
    page.waitForURL(/\/quick\/share\?share=|\/auth\/login|\/pets\//),
    page.evaluate(
      ([fields, parts]) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = '/quick/share';
        form.enctype = 'multipart/form-data';
        for (const [name, value] of Object.entries(fields)) {
          const input = document.createElement('input');
          Object.assign(input, { type: 'hidden', name, value });
          form.append(input);
        }
        const transfer = new DataTransfer();
        for (const { name, type, base64 } of parts) {
          const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
          transfer.items.add(new File([bytes], name, { type }));
        }
        const chooser = document.createElement('input');
        Object.assign(chooser, { type: 'file', name: 'files', multiple: true });
        chooser.files = transfer.files;
        form.append(chooser);
        document.body.append(form);
        form.submit();
      },
      [texts, files] as const,
    ),
  ]);
}
