import type { LucideIcon } from 'lucide-react';
import type { SheetAction } from '../../lib/action-sheet.ts';

export interface MenuAction extends SheetAction {
  readonly icon?: LucideIcon;
  readonly onSelect?: () => void;
}
