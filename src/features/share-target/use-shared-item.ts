import { useEffect, useState } from 'react';
import type { SharedItem } from '../../../schemas/local/shared-item.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';

export interface SharedItemState {
  /** The item; undefined until it is read, null if it does not exist. */
  readonly item: SharedItem | null | undefined;
  /** The reason why it could not be read. */
  readonly problem: string | null;
  /** Stores the remaining parts of the item. */
  readonly keepRest: (rest: SharedItem) => Promise<void>;
}

export function useSharedItem(id: string): SharedItemState {
  const { files } = useData();
  const [item, setItem] = useState<SharedItem | null>();
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<void> => {
      try {
        const found = await (await files.load()).shared.read(id);
        if (!isLeft) setItem(found);
      } catch (error) {
        if (!isLeft) setProblem(commandErrorCopy(error));
      }
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [files, id]);

  const keepRest = async (rest: SharedItem): Promise<void> => {
    await (await files.load()).shared.keepRest(rest);
    setItem(rest);
  };

  return { item, problem, keepRest };
}
