import type { SharedFile } from '../../../schemas/local/shared-item.ts';
import { AskingButton } from '../../ui/button.tsx';
import { SharedImage } from './shared-picture.tsx';
import { isSound } from './shared-copy.ts';

export interface SharedGlanceProps {
  readonly texts: readonly string[];
  readonly files: readonly SharedFile[];
  readonly onDiscard: () => void;
}

/** Shows in short what was shared, for the choice of its dog. */
export function SharedGlance({ texts, files, onDiscard }: SharedGlanceProps) {
  return (
    <div className="flex items-end gap-3 rounded-card bg-card px-4 py-3">
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2">
        {texts.length > 0 && (
          <p dir="auto" className="line-clamp-3 whitespace-pre-line wrap-anywhere">
            {texts.join('\n')}
          </p>
        )}
        {files.map((file) => (
          <div key={file.id}>
            {!isSound(file) && <SharedImage file={file} className="max-h-24" />}
            <p dir="auto" className="text-ink-soft wrap-anywhere">
              {file.name}
            </p>
          </div>
        ))}
      </div>
      <AskingButton label="Discard" kind="quiet-danger" onConfirm={onDiscard} />
    </div>
  );
}
