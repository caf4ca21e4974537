import { useNavigate, useSearch } from '@tanstack/react-router';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useMemo, useState } from 'react';
import { useData } from '../../../data/data-context.ts';
import type { EntryDay, EntryDays } from '../../../data/queries/queries.ts';
import type { CalendarDate } from '../../../lib/dates/calendar-date.ts';
import {
  addMonths,
  monthOf,
  monthsBetween,
  monthText,
  sameDayIn,
} from '../../../lib/dates/calendar-month.ts';
import { countText } from '../../../lib/text/count-text.ts';
import { useLive } from '../../../lib/async/live.ts';
import { useTimeText, useToday } from '../../../lib/dates/now.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MonthGrid } from './month-grid.tsx';

export interface MonthPanelProps {
  readonly petId: string;
  /** The date that the journal shows. The panel opens at its month, or else at the current one. */
  readonly shown?: CalendarDate;
  /** Whether the focus moves to the shown date once the month is read. */
  readonly takesFocus?: boolean;
  /** Called when a day was chosen, before the journal opens at it. */
  readonly onChosen?: () => void;
}

function useEntryDays(petId: string, month: string): EntryDays | undefined {
  const { queries } = useData();
  const zone = useTimeText(() => new Intl.DateTimeFormat().resolvedOptions().timeZone);
  // The days are those of a time zone, so they are read again in another one.
  const { days } = useMemo(
    () => ({ zone, days: queries.entryDays(petId, month) }),
    [zone, queries, petId, month],
  );
  return useLive(days);
}

/** The days of a journal, one month at a time. Choosing one opens the journal at the first entry of that day. */
export function MonthPanel({ petId, shown, takesFocus = false, onChosen }: MonthPanelProps) {
  const today = useToday();
  const openAt = useOpenAt(petId);
  const [wanted, setWanted] = useState(shown ?? today);
  /** The first day of the journal; undefined until it is read. It stays known while another month is read. */
  const [start, setStart] = useState<EntryDays['journalStart']>();
  const first = earlier(today, start === undefined ? wanted : (start ?? today));
  const active = earlier(today, wanted < first ? first : wanted);
  const month = monthOf(active);
  const found = useEntryDays(petId, month);
  if (found !== undefined && found.journalStart !== start) setStart(found.journalStart);
  const choose = ({ firstKey }: EntryDay): void => {
    onChosen?.();
    void openAt(firstKey);
  };
  return (
    <div className="@container flex flex-col gap-2">
      {/* With large text in a narrow column, the month gets a line of its own. */}
      <div className="month-row flex flex-wrap items-center justify-between gap-1">
        <IconButton
          label="Previous month"
          icon={ChevronLeft}
          aria-disabled={month <= monthOf(first)}
          className={stepStyle}
          onClick={() => setWanted(addMonths(active, -1))}
        />
        <select
          aria-label="Month"
          value={month}
          className="min-h-11 min-w-0 rounded-full bg-paper px-3 text-center font-serif text-lg font-semibold transition-colors hover:bg-card-strong @max-[17rem]:px-1 @max-[17rem]:text-base @max-[15rem]:order-first @max-[15rem]:basis-full @max-[15rem]:px-0 @max-[15rem]:text-[min(1.125rem,9cqi)]"
          onChange={({ target }) => setWanted(sameDayIn(target.value, active))}
        >
          {monthsBetween(monthOf(first), monthOf(today)).map((each) => (
            <option key={each} value={each}>
              {monthText(each)}
            </option>
          ))}
        </select>
        <IconButton
          label="Next month"
          icon={ChevronRight}
          aria-disabled={month >= monthOf(today)}
          className={stepStyle}
          onClick={() => setWanted(addMonths(active, 1))}
        />
      </div>
      {/* The height is that of a month with six weeks, so that nothing moves under the finger. */}
      <div className="min-h-74">
        {/* The range of the keys depends on the first day of the journal. */}
        {start !== undefined && (
          <MonthGrid
            active={active}
            today={today}
            shown={shown}
            days={found?.days}
            takesFocus={takesFocus}
            onMove={setWanted}
            onChoose={choose}
          />
        )}
      </div>
      <p role="status" className="min-h-6 text-center text-ink-soft">
        {found === undefined ? '' : daysText(found.days.size)}
      </p>
    </div>
  );
}

const stepStyle = 'aria-disabled:opacity-40 aria-disabled:hover:bg-transparent';

function daysText(count: number): string {
  return count === 0 ? 'No entries in this month' : `${countText(count, 'day')} with entries`;
}

function earlier(one: CalendarDate, other: CalendarDate): CalendarDate {
  return one < other ? one : other;
}

/** Opens the journal at an entry, as a new history entry. */
function useOpenAt(petId: string): (key: string) => Promise<void> {
  const navigate = useNavigate();
  const { at: openedAt } = useSearch({ strict: false });
  return async (at) => {
    const journal = { to: '/pets/$petId/profile', params: { petId } } as const;
    const isOpened = at === openedAt;
    // Navigating to the same address would do nothing, although the owner may have scrolled away meanwhile.
    if (isOpened) await navigate({ ...journal, replace: true });
    await navigate({ ...journal, search: { at }, replace: isOpened });
  };
}
