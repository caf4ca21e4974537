import { useEffect, useState } from 'react';
import type { SharedItem } from '../../../schemas/local/shared-item.ts';
import { createTaskQueue } from '../../../store/task-queue.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import { useData } from '../../data/data-context.ts';

export interface SharedItemState {
  /** The item; undefined until it is read, null if it does not exist. */
  readonly item: SharedItem | null | undefined;
  /** The reason why it could not be read. */
  readonly problem: string | null;
  /**
   * Stores the remaining parts of the item. Calls run one after another.
   * @param restOf returns them, from the parts that are stored.
   */
  readonly keepRest: (restOf: (item: SharedItem) => SharedItem) => Promise<void>;
}

export function useSharedItem(id: string): SharedItemState {
  const { files } = useData();
  const [item, setItem] = useState<SharedItem | null>();
  const [problem, setProblem] = useState<string | null>(null);
  const [queue] = useState(createTaskQueue);

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

  const keepRest: SharedItemState['keepRest'] = (restOf) =>
    queue.run(async () => {
      const { shared } = await files.load();
      const stored = await shared.read(id);
      if (stored === null) return;
      const rest = restOf(stored);
      await shared.keepRest(rest);
      setItem(rest);
    });

  return { item, problem, keepRest };
}
