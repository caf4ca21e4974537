import { useEffect, useState } from 'react';
import type { SharedItem } from '../../../schemas/local/shared-item.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import type { RestOfShared } from '../../data/shared-items.ts';
import { useData } from '../../data/data-context.ts';

export interface SharedItemState {
  /** The item; undefined until it is read, null if it does not exist. */
  readonly item: SharedItem | null | undefined;
  /** The reason why it could not be read. */
  readonly problem: string | null;
  /**
   * Stores the remaining parts of the item.
   * @param restOf returns them, from the parts that are stored.
   */
  readonly keepRest: (restOf: RestOfShared) => Promise<void>;
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

  const keepRest = async (restOf: RestOfShared): Promise<void> => {
    const rest = await (await files.load()).shared.keepRest(id, restOf);
    if (rest !== null) setItem(rest);
  };

  return { item, problem, keepRest };
}
