import type { CalendarDate } from '../../../lib/dates/calendar-date.ts';
import { Button } from '../../../ui/button.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { MonthPanel } from './month-panel.lazy.tsx';

export interface MonthSheetProps {
  readonly petId: string;
  readonly shown: CalendarDate;
  readonly onClose: () => void;
}

/** The month view above the journal. */
export function MonthSheet({ petId, shown, onClose }: MonthSheetProps) {
  return (
    <Modal title="Go to a date" placement="bottom" onClose={onClose}>
      {/* Seven columns of 44 px fit into a page of 320 px. */}
      <div className="-mx-4.5 mt-3">
        <div className="mx-auto max-w-90">
          <MonthPanel petId={petId} shown={shown} takesFocus onChosen={onClose} />
        </div>
      </div>
      {/* On a low screen it scrolls with the days, which need all the room. */}
      <div className="mt-4 flex justify-end">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Modal>
  );
}
