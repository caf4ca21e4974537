import { useEffect, useState } from 'react';
import type { SharedItem } from '../../../schemas/local/shared-item.ts';
import { commandErrorCopy } from '../../data/commands/commands.ts';
import type { RestOfShared } from '../../data/shared-items.ts';
import { useData } from '../../data/data-context.ts';

export interface SharedItemState {
  /** The item; undefined until it is read, null if it does not exist. */
  readonly item: SharedItem | null | undefined;
  /** The reason why it could not be read or used. */
  readonly problem: string | null;
  readonly fail: (error: unknown) => void;
  /** Forgets the problem, and reads the item again. */
  readonly retry: () => void;
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
    if (problem !== null) return undefined;
    let isLeft = false;
    const show =
      <Found>(set: (found: Found) => void) =>
      (found: Found) => {
        if (!isLeft) set(found);
      };
    files
      .load()
      .then(({ shared }) => shared.read(id))
      .then(
        show(setItem),
        show((error: unknown) => setProblem(commandErrorCopy(error))),
      );
    return () => {
      isLeft = true;
    };
  }, [files, id, problem]);

  const keepRest = async (restOf: RestOfShared): Promise<void> => {
    const rest = await (await files.load()).shared.keepRest(id, restOf);
    if (rest !== null) setItem(rest);
  };

  return {
    item,
    problem,
    fail: (error) => setProblem(commandErrorCopy(error)),
    retry: () => setProblem(null),
    keepRest,
  };
}
